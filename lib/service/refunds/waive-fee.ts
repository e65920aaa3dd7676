import type { Result } from '../../contract/result.ts';
import type { Input, Output } from '../../contract/contract.ts';
import { waiveFee as decide } from '../../returns/commands/money/waive-fee.ts';
import type { Call, Reply } from '../../contract/port.ts';
import { command } from '../../execution/command.ts';

/** Gives up a fee of a return, as far as no refund has taken it. */
export const waiveFee = async (input: Input<'waiveFee'>, call: Call): Promise<Result<Reply<Output<'waiveFee'>>>> =>
  command('waiveFee', input, call, (situation) => decide(situation, input));
