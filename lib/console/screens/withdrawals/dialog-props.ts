import type { Output } from '../../../contract/contract.ts';
import type { Loaded } from '../../api/use-call.ts';

/** What a dialog about a declaration gets. */
export type WithdrawalDialogProps = {
  readonly of: Loaded<Output<'getWithdrawal'>>;
  readonly value: Output<'getWithdrawal'>;
  readonly onDone: () => void;
  readonly onClose: () => void;
};
