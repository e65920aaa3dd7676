import type { ReasonFacts, Reasons, ReasonDefinition } from '../model/reason.ts';
import { decided, refused, type Decision } from '../failure.ts';
import type { Resolution } from '../model/return.ts';
import { builtIn } from './reasons-built-in.ts';

const resolutions: readonly Resolution[] = ['refund', 'exchange', 'store_credit', 'repair', 'none'];

const groupOf = (code: string): string => code.split('.')[0] ?? code;

/** The reasons that a shop has until it changes them: nothing of a note or of evidence, and whatever resolution. */
export const builtInReasons: Reasons = new Map(
  builtIn.map(([code, fault, label]) => [
    code,
    {
      code,
      group: groupOf(code),
      labels: { en: label },
      fault,
      noteRequired: false,
      evidenceRequired: false,
      resolutions,
      active: true,
      version: 0,
    },
  ]),
);

/**
 * The reasons of a shop: what it has changed or added, in front of what is built in. `get` a code for whose fault a
 * line's reason is, and what it demands.
 */
export const reasonsOf = (changed: readonly ReasonDefinition[]): Reasons =>
  new Map([...builtInReasons, ...changed.map((reason): [string, ReasonDefinition] => [reason.code, reason])]);

const mostReasons = 200;

/** A reason with the next version, and with it all that the shop has changed. At most 200 reasons are there in all. */
export const putReason = (
  changed: readonly ReasonDefinition[],
  facts: ReasonFacts,
): Decision<{ readonly reason: ReasonDefinition; readonly changed: readonly ReasonDefinition[] }> => {
  const { code } = facts;
  const reasons = reasonsOf(changed);
  if (!reasons.has(code) && reasons.size >= mostReasons) {
    const message = `must be one of the ${mostReasons} that there are, which is as many as there may be`;
    const errors = [{ path: '/code', code: 'max_items', message }];
    return refused({ code: 'invalid_request', detail: 'There are too many reasons.', errors });
  }
  const reason = { ...facts, group: groupOf(code), version: (reasons.get(code)?.version ?? 0) + 1 };
  return decided({ reason, changed: [...changed.filter((one) => one.code !== code), reason] });
};
