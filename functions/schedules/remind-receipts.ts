import { remindReceipts } from '../../lib/service/schedules/withdrawals/remind-receipts.ts';

export const handler = remindReceipts;
