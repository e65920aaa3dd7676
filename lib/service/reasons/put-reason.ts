import { holds } from '../../contract/if-match.ts';
import { fail, ok, type Result } from '../../contract/result.ts';
import type { Input, Output } from '../../contract/contract.ts';
import { putReason as decide, reasonsOf } from '../../returns/rules/reasons.ts';
import { readReasons, writeReasons } from '../../store/policies/reasons.ts';
import type { Call, Reply } from '../../contract/port.ts';
import { execute } from '../../execution/execute.ts';
import { conditionFailed } from '../../execution/failures.ts';

/** Creates or replaces a reason of the shop. 201 for one that nobody had changed before, built in or not. */
export const putReason = async (input: Input<'putReason'>, call: Call): Promise<Result<Reply<Output<'putReason'>>>> =>
  execute('putReason', input, call, async (session) => {
    const kept = await readReasons(session);
    const present = reasonsOf(kept.changed).get(input.code)?.version ?? 0;
    if (!holds(call.ifMatch, present)) return fail(conditionFailed(present));
    const decision = decide(kept.changed, input);
    if (!decision.ok) return fail(decision.failure);
    const { reason, changed } = decision.value;
    return ok({
      reply: {
        status: present === 0 ? 201 : 200,
        body: structuredClone(reason) as Output<'putReason'>,
        version: reason.version,
      },
      writes: [writeReasons(changed, kept.version)],
    });
  });
