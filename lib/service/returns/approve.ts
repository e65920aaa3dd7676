import { ulid } from 'ulid';
import type { Result } from '../../contract/result.ts';
import type { Input, Output } from '../../contract/contract.ts';
import { approve as decide, type Approve } from '../../returns/commands/request/approve.ts';
import type { SaltedText } from '../../store/personal/personal.ts';
import type { Call, Reply } from '../../contract/port.ts';
import { command } from '../../execution/command.ts';
import { sealText } from '../../personal/seal-text.ts';

/** Replaces the reasons of overrides by their digests; the texts themselves go beside the return. */
const seal = ({ lines }: Input<'approve'>): { wanted: Approve; texts: readonly SaltedText[] } => {
  if (lines === undefined) return { wanted: {}, texts: [] };
  const texts: SaltedText[] = [];
  const sealed = lines.map(({ override, ...line }) => {
    if (override === undefined) return line;
    const reason = sealText(`override/${ulid()}`, override.reason);
    texts.push(reason.text);
    return { ...line, override: { reason: reason.seal } };
  });
  return { wanted: { lines: sealed }, texts };
};

/** Approves a requested return, in whole or by quantities per line. */
export const approve = async (input: Input<'approve'>, call: Call): Promise<Result<Reply<Output<'approve'>>>> => {
  const { wanted, texts } = seal(input);
  return command('approve', input, call, (situation) => decide(situation, wanted), { texts });
};
