import { ulid } from 'ulid';
import type { Result } from '../../contract/result.ts';
import type { Input, Output } from '../../contract/contract.ts';
import { cancel as decide } from '../../returns/commands/cancel.ts';
import type { Call, Reply } from '../../contract/port.ts';
import { command } from '../../execution/command.ts';
import { sealNote } from '../../personal/seal-text.ts';

/** Cancels a return, whole or some of its units, which are free for another. */
export const cancel = async (input: Input<'cancel'>, call: Call): Promise<Result<Reply<Output<'cancel'>>>> => {
  const { code, note, lines } = input;
  // Of its own, because a return may be cancelled in parts: the words of one must not pass for those of another.
  const why = code === undefined ? {} : { code };
  const { carrier: cancellation, texts } = sealNote(why, `cancellation/${ulid()}`, note);
  const wanted = { cancellation, ...(lines === undefined ? {} : { lines }) };
  return command('cancel', input, call, (situation) => decide(situation, wanted), { texts });
};
