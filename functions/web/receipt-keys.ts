import { readReceiptKeyRing } from '../../lib/execution/key-ring.ts';
import { serveReceiptKeys } from '../../lib/http/receipt-keys.ts';
import { receiptJwks } from '../../lib/withdrawals/receipt/receipt-keys.ts';

export const handler = serveReceiptKeys(async () => receiptJwks(await readReceiptKeyRing()));
