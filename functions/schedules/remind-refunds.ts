import { getReturn, listReturns, remindRefund } from '#backend';
import { remindRefunds } from '../../lib/service/schedules/remind-refunds.ts';

export const handler = remindRefunds({ getReturn, listReturns, remindRefund });
