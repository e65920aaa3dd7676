import { applyRetention } from '../../lib/service/schedules/retention/apply-retention.ts';

export const handler = applyRetention;
