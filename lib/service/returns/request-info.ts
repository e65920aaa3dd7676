import { ulid } from 'ulid';
import type { Result } from '../../contract/result.ts';
import type { Input, Output } from '../../contract/contract.ts';
import { requestInfo as decide } from '../../returns/commands/request/request-info.ts';
import type { Call, Reply } from '../../contract/port.ts';
import { command } from '../../execution/command.ts';
import { sealText } from '../../personal/seal-text.ts';

/** Asks the customer something; the return waits for the answer. */
export const requestInfo = async (
  input: Input<'requestInfo'>,
  call: Call,
): Promise<Result<Reply<Output<'requestInfo'>>>> => {
  const id = `note_${ulid()}`;
  const { seal, text } = sealText(id, input.message);
  return command('requestInfo', input, call, (situation) => decide(situation, { id, text: seal }), { texts: [text] });
};
