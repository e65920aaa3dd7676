import { matchWithdrawal } from '#backend';
import { matchWithdrawals } from '../../lib/service/schedules/withdrawals/match-withdrawals.ts';

export const handler = matchWithdrawals({ matchWithdrawal });
