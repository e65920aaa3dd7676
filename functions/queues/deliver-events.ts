import { deliverEvents } from '../../lib/outbox/deliver-events.ts';

export const handler = deliverEvents;
