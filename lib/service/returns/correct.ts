import { ulid } from 'ulid';
import type { Result } from '../../contract/result.ts';
import type { Input, Output } from '../../contract/contract.ts';
import { correct as decide } from '../../returns/commands/goods/correct.ts';
import type { Call, Reply } from '../../contract/port.ts';
import { command } from '../../execution/command.ts';
import { sealText } from '../../personal/seal-text.ts';

/** Corrects what was recorded of goods, in an entry of its own. */
export const correct = async (input: Input<'correct'>, call: Call): Promise<Result<Reply<Output<'correct'>>>> => {
  const { reason, lines } = input;
  const { seal, text } = sealText(`correction/${ulid()}`, reason);
  const ids = lines.map(() => ({ accepted: `ins_${ulid()}`, refused: `ins_${ulid()}` }));
  const wanted = { correction: { reason: seal }, lines, ids };
  return command('correct', input, call, (situation) => decide(situation, wanted), { texts: [text] });
};
