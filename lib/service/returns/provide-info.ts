import { ulid } from 'ulid';
import type { Result } from '../../contract/result.ts';
import type { Input, Output } from '../../contract/contract.ts';
import { provideInfo as decide } from '../../returns/commands/request/provide-info.ts';
import type { Call, Reply } from '../../contract/port.ts';
import { command } from '../../execution/command.ts';
import { sealText } from '../../personal/seal-text.ts';

/** Answers what the customer was asked; the return waits for its decision again. */
export const provideInfo = async (
  input: Input<'provideInfo'>,
  call: Call,
): Promise<Result<Reply<Output<'provideInfo'>>>> => {
  const id = `note_${ulid()}`;
  const { message, evidence } = input;
  const sealed = message === undefined ? undefined : sealText(id, message);
  const answer = {
    id,
    ...(sealed === undefined ? {} : { text: sealed.seal }),
    ...(evidence === undefined ? {} : { evidence }),
  };
  return command('provideInfo', input, call, (situation) => decide(situation, answer), {
    texts: sealed === undefined ? [] : [sealed.text],
  });
};
