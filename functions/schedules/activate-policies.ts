import { activatePolicies } from '../../lib/schedules/activate-policies.ts';

export const handler = activatePolicies;
