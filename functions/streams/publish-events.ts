import { publishTableRecords } from '../../lib/service/outbox/publish-events.ts';

export const handler = publishTableRecords;
