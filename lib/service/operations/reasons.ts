import type { Input, Output } from '../../contract/contract.ts';
import { ifMatchHolds } from '../../contract/if-match.ts';
import type { Call, Reply } from '../../contract/port.ts';
import type { Result } from '../../contract/result.ts';
import { fail, ok } from '../../runtime/result.ts';
import { execute, withStore } from '../execution/execute.ts';
import { conditionFailed } from '../execution/failures.ts';
import type { ReasonDefinition } from '../../domain/returns/model/return.ts';
import { putReason as decide, mergeReasons } from '../../domain/returns/rules/reasons.ts';
import { readReasons, writeReasons } from '../../store/policies/decisions.ts';
import { reasonLabels } from '../../domain/texts/reason-labels.ts';

/** Adds the labels in all supported languages to a built-in reason. */
const labelled = (reason: ReasonDefinition): ReasonDefinition =>
  reason.version === 0 ? { ...reason, labels: reasonLabels.get(reason.code) ?? reason.labels } : reason;

/** Lists the shop's reasons by code, including the built-in ones. */
export const listReasons = async (
  { active }: Input<'listReasons'>,
  call: Call,
): Promise<Result<Reply<Output<'listReasons'>>>> =>
  withStore(call, async (session) => {
    const { changed } = await readReasons(session);
    const items = [...mergeReasons(changed).values()]
      .filter((reason) => active === undefined || reason.active === active)
      .toSorted((a, b) => (a.code < b.code ? -1 : 1))
      .map(labelled);
    return ok({ status: 200, body: structuredClone({ items, nextCursor: null }) as Output<'listReasons'> });
  });

/** Creates or replaces a reason of the shop. Returns 201 for the first change of a reason, built-in or not. */
export const putReason = async (input: Input<'putReason'>, call: Call): Promise<Result<Reply<Output<'putReason'>>>> =>
  execute('putReason', input, call, async (session) => {
    const stored = await readReasons(session);
    const present = mergeReasons(stored.changed).get(input.code)?.version ?? 0;
    if (!ifMatchHolds(call.ifMatch, present)) return fail(conditionFailed(present));
    const decision = decide(stored.changed, input);
    if (!decision.ok) return fail(decision.failure);
    const { reason, changed } = decision.value;
    return ok({
      reply: {
        status: present === 0 ? 201 : 200,
        body: structuredClone(reason) as Output<'putReason'>,
        version: reason.version,
      },
      writes: [writeReasons(changed, stored.version)],
    });
  });
