import { matchWithdrawal } from '#backend';
import { matchWithdrawals } from '../../lib/schedules/withdrawals/match-withdrawals.ts';

export const handler = matchWithdrawals({ matchWithdrawal });
