import type { Result } from '../../contract/result.ts';
import type { Input, Output } from '../../contract/contract.ts';
import { remindRefund as decide } from '../../returns/commands/money/remind-refund.ts';
import type { Call, Reply } from '../../contract/port.ts';
import { command } from '../../execution/command.ts';

/** Tells that a refund is due soon, or is overdue, once for each date that it is due by. */
export const remindRefund = async (
  input: Input<'remindRefund'>,
  call: Call,
): Promise<Result<Reply<Output<'remindRefund'>>>> => command('remindRefund', input, call, decide);
