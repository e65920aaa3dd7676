import { ulid } from 'ulid';
import type { Result } from '../../contract/result.ts';
import type { Input, Output } from '../../contract/contract.ts';
import { isOpenToDecision, reopen as decide } from '../../returns/commands/request/reopen.ts';
import { readDecision, writeDecision } from '../../store/policies/decisions.ts';
import type { Call, Reply } from '../../contract/port.ts';
import { command } from '../../execution/command.ts';
import { judgeAnew } from '../decisions/judge-anew.ts';
import { sealText } from '../../personal/seal-text.ts';

/**
 * Opens a return again that was at its end, as far as its units are still free. One that was never approved is judged
 * anew, where a policy is for its order.
 */
export const reopen = async (input: Input<'reopen'>, call: Call): Promise<Result<Reply<Output<'reopen'>>>> => {
  const { seal, text } = sealText(`reopening/${ulid()}`, input.reason);
  const reopening = { reason: seal };
  return command(
    'reopen',
    input,
    call,
    async (situation, session) => {
      const { state } = situation;
      const undecided = decide(situation, reopening);
      if (!undecided.ok || !isOpenToDecision(state)) return undecided;
      const earlier = state.decision?.decisionId;
      const before = earlier === undefined ? undefined : await readDecision(session, earlier);
      const anew = await judgeAnew(session, situation, before, call.traceId);
      if (anew === undefined) return undecided;
      const { renewed, decision } = anew;
      const reopened = decide(situation, reopening, renewed);
      if (!reopened.ok) return reopened;
      const { policyVersion } = renewed.judgement;
      return { ok: true, value: { ...reopened.value, ruled: { policyVersion, writes: [writeDecision(decision)] } } };
    },
    { texts: [text] },
  );
};
