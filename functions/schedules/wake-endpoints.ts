import { wakeSleeping } from '../../lib/outbox/wake-endpoints.ts';

export const handler = wakeSleeping;
