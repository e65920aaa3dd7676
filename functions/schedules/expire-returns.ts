import { expire, listReturns } from '#backend';
import { expireReturns } from '../../lib/service/schedules/expire-returns.ts';

export const handler = expireReturns({ expire, listReturns });
