import { ok, type Result } from '../../contract/result.ts';
import type { Input, Output } from '../../contract/contract.ts';
import { reasonsOf } from '../../returns/rules/reasons.ts';
import type { ReasonDefinition } from '../../returns/model/reason.ts';
import { reasonLabels } from '../../texts/reason-labels.ts';
import { readReasons } from '../../store/policies/reasons.ts';
import type { Call, Reply } from '../../contract/port.ts';
import { withStore } from '../../execution/execute.ts';

/** A reason that the shop has not changed, with its labels in all languages that we have texts in. */
const labelled = (reason: ReasonDefinition): ReasonDefinition =>
  reason.version === 0 ? { ...reason, labels: reasonLabels.get(reason.code) ?? reason.labels } : reason;

/** Lists the shop's reasons by code, those that are built in among them. */
export const listReasons = async (
  { active }: Input<'listReasons'>,
  call: Call,
): Promise<Result<Reply<Output<'listReasons'>>>> =>
  withStore(call, async (session) => {
    const { changed } = await readReasons(session);
    const items = [...reasonsOf(changed).values()]
      .filter((reason) => active === undefined || reason.active === active)
      .toSorted((a, b) => (a.code < b.code ? -1 : 1))
      .map(labelled);
    return ok({ status: 200, body: structuredClone({ items, nextCursor: null }) as Output<'listReasons'> });
  });
