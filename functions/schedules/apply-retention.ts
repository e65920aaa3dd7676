import { applyRetention } from '../../lib/retention/apply-retention.ts';

export const handler = applyRetention;
