import { readWithdrawKey, withdrawFunctions } from '../../lib/client/withdraw-functions.ts';
import { createSigner } from '../../lib/execution/signer.ts';
import { serveWithdrawPage } from '../../lib/http/withdraw-page.ts';

export const handler = serveWithdrawPage({ ...withdrawFunctions, ...createSigner(readWithdrawKey) });
