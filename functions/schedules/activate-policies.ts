import { activatePolicies } from '../../lib/service/schedules/activate-policies.ts';

export const handler = activatePolicies;
