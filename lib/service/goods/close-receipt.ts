import type { Result } from '../../contract/result.ts';
import type { Input, Output } from '../../contract/contract.ts';
import { closeReceipt as decide } from '../../returns/commands/goods/close-receipt.ts';
import type { Call, Reply } from '../../contract/port.ts';
import { command } from '../../execution/command.ts';

/** Gives up units of a return that did not come. */
export const closeReceipt = async (
  input: Input<'closeReceipt'>,
  call: Call,
): Promise<Result<Reply<Output<'closeReceipt'>>>> =>
  command('closeReceipt', input, call, (situation) => decide(situation, input));
