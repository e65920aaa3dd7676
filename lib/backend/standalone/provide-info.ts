import { ulid } from 'ulid';
import type { Result } from '../../contract/result.ts';
import type { Input, Output } from '../../contract/schemas.ts';
import { provideInfo as decide } from '../../returns/provide-info.ts';
import type { Call, Reply } from '../port.ts';
import { command } from './command.ts';
import { sealText } from './seal-text.ts';

/** Answers what the customer was asked; the return waits for its decision again. */
export const provideInfo = async (
  input: Input<'provideInfo'>,
  call: Call,
): Promise<Result<Reply<Output<'provideInfo'>>>> => {
  const id = `note_${ulid()}`;
  const { seal, text } = sealText(id, input.message);
  return command('provideInfo', input, call, (situation) => decide(situation, { id, text: seal }), { texts: [text] });
};
