import { listReturns, listWithdrawals, verifyHistory, verifyWithdrawalHistory } from '#backend';
import { verifyChains } from '../../lib/service/schedules/verify-chains.ts';

export const handler = verifyChains({ listReturns, listWithdrawals, verifyHistory, verifyWithdrawalHistory });
