import { declareWithdrawal, getWithdrawalReceipt } from '#backend';
import * as declaring from '#validators/declareWithdrawal';
import * as reading from '#validators/getWithdrawalReceipt';
import * as operations from '../../lib/contract/operations.ts';
import { openSealed, seal } from '../../lib/execution/signed-text.ts';
import { serveWithdrawPage } from '../../lib/http/withdraw-page.ts';
import { withValidation } from '../../lib/http/with-validation.ts';

export const handler = serveWithdrawPage({
  declareWithdrawal: withValidation<'declareWithdrawal'>(operations.declareWithdrawal, declaring, declareWithdrawal),
  getWithdrawalReceipt: withValidation<'getWithdrawalReceipt'>(
    operations.getWithdrawalReceipt,
    reading,
    getWithdrawalReceipt,
  ),
  seal,
  openSealed,
});
