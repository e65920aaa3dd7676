import { sweepIntents } from '../../lib/service/schedules/sweep-intents.ts';

export const handler = sweepIntents;
