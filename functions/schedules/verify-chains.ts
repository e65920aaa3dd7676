import { listReturns, verifyHistory } from '#backend';
import { verifyChains } from '../../lib/schedules/verify-chains.ts';

export const handler = verifyChains({ listReturns, verifyHistory });
