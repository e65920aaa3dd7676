import { readReceiptKeyRing } from '../../lib/service/execution/key-ring.ts';
import { serveReceiptKeys } from '../../lib/edge/http/receipt-keys.ts';
import { receiptJwks } from '../../lib/domain/withdrawals/receipt/receipt-keys.ts';

export const handler = serveReceiptKeys(async () => receiptJwks(await readReceiptKeyRing()));
