import { remindReceipts } from '../../lib/schedules/withdrawals/remind-receipts.ts';

export const handler = remindReceipts;
