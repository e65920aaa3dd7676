import { deliverEvents } from '../../lib/service/outbox/deliver-events.ts';

export const handler = deliverEvents;
