import { repairEvents } from '../../lib/service/outbox/repair-events.ts';

export const handler = repairEvents;
