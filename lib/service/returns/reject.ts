import { ulid } from 'ulid';
import type { Result } from '../../contract/result.ts';
import type { Input, Output } from '../../contract/contract.ts';
import { reject as decide } from '../../returns/commands/request/reject.ts';
import type { Call, Reply } from '../../contract/port.ts';
import { command } from '../../execution/command.ts';
import { sealNote } from '../../personal/seal-text.ts';

/** Refuses a requested return; its units are free for another. */
export const reject = async (input: Input<'reject'>, call: Call): Promise<Result<Reply<Output<'reject'>>>> => {
  const { code, note } = input;
  // Of its own, because a return may be reopened and refused again.
  const { carrier: rejection, texts } = sealNote({ code }, `rejection/${ulid()}`, note);
  return command('reject', input, call, (situation) => decide(situation, rejection), { texts });
};
