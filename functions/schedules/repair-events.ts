import { repairEvents } from '../../lib/outbox/repair-events.ts';

export const handler = repairEvents;
