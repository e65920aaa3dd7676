import { ulid } from 'ulid';
import type { Result } from '../../contract/result.ts';
import type { Input, Output } from '../../contract/schemas.ts';
import { reopen as decide } from '../../returns/commands/reopen.ts';
import type { Call, Reply } from '../port.ts';
import { command } from './command.ts';
import { sealText } from './seal-text.ts';

/** Opens a return again that was at its end, as far as its units are still free. */
export const reopen = async (input: Input<'reopen'>, call: Call): Promise<Result<Reply<Output<'reopen'>>>> => {
  const { seal, text } = sealText(`reopening/${ulid()}`, input.reason);
  return command('reopen', input, call, (situation) => decide(situation, { reason: seal }), { texts: [text] });
};
