import { readWithdrawKey, withdrawFunctions } from '../../lib/access/client/withdraw-functions.ts';
import { createSigner } from '../../lib/service/execution/signer.ts';
import { serveWithdrawPage } from '../../lib/edge/withdraw-page/withdraw-page.ts';

export const handler = serveWithdrawPage({ ...withdrawFunctions, ...createSigner(readWithdrawKey) });
