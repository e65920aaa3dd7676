import type { Result } from '../../contract/result.ts';
import type { Input, Output } from '../../contract/contract.ts';
import { exchangeResult as decide } from '../../returns/commands/money/exchange-result.ts';
import type { Call, Reply } from '../../contract/port.ts';
import { command } from '../../execution/command.ts';

/** Takes in what became of an exchange. */
export const exchangeResult = async (
  input: Input<'exchangeResult'>,
  call: Call,
): Promise<Result<Reply<Output<'exchangeResult'>>>> =>
  command('exchangeResult', input, call, (situation) => decide(situation, input));
