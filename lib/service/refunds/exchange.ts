import { ulid } from 'ulid';
import type { Result } from '../../contract/result.ts';
import type { Input, Output } from '../../contract/contract.ts';
import { exchange as decide } from '../../returns/commands/money/exchange.ts';
import type { Call, Reply } from '../../contract/port.ts';
import { command } from '../../execution/command.ts';

/** Exchanges units of a return for a new item. */
export const exchange = async (input: Input<'exchange'>, call: Call): Promise<Result<Reply<Output<'exchange'>>>> => {
  const id = `exc_${ulid()}`;
  return command('exchange', input, call, (situation) => decide(situation, id, input));
};
