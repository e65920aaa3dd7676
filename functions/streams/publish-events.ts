import { publishTableRecords } from '../../lib/outbox/publish-events.ts';

export const handler = publishTableRecords;
