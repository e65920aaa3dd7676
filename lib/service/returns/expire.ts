import type { Result } from '../../contract/result.ts';
import type { Input, Output } from '../../contract/contract.ts';
import { expire as decide } from '../../returns/commands/expire.ts';
import type { Call, Reply } from '../../contract/port.ts';
import { command } from '../../execution/command.ts';

/** Lets a return expire that nothing came of; its units are free for another. */
export const expire = async (input: Input<'expire'>, call: Call): Promise<Result<Reply<Output<'expire'>>>> =>
  command('expire', input, call, decide);
