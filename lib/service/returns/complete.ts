import { ulid } from 'ulid';
import type { Result } from '../../contract/result.ts';
import type { Input, Output } from '../../contract/contract.ts';
import { complete as decide } from '../../returns/commands/complete.ts';
import type { Call, Reply } from '../../contract/port.ts';
import { command } from '../../execution/command.ts';
import { sealText } from '../../personal/seal-text.ts';

/** Completes a return of which nothing is left to do; money that is owed must be waived for that. */
export const complete = async (input: Input<'complete'>, call: Call): Promise<Result<Reply<Output<'complete'>>>> => {
  const { waive } = input;
  if (waive === undefined) return command('complete', input, call, (situation) => decide(situation, {}));
  const { seal, text } = sealText(`waiver/${ulid()}`, waive.reason);
  return command('complete', input, call, (situation) => decide(situation, { waiver: { reason: seal } }), {
    texts: [text],
  });
};
