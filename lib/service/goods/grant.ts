import type { Result } from '../../contract/result.ts';
import type { Input, Output } from '../../contract/contract.ts';
import { grant as decide } from '../../returns/commands/goods/grant.ts';
import type { Call, Reply } from '../../contract/port.ts';
import { command } from '../../execution/command.ts';

/** Honours units that did not come or were refused. */
export const grant = async (input: Input<'grant'>, call: Call): Promise<Result<Reply<Output<'grant'>>>> =>
  command('grant', input, call, (situation) => decide(situation, input));
