import { publishStream } from '../../lib/outbox/publish-events.ts';

export const handler = publishStream;
