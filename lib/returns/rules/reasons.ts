import { decided, refused, type Decision } from '../failure.ts';
import type { Resolution } from '../return.ts';
import { builtIn } from './reasons-built-in.ts';

/** Who has to answer for it that a line comes back. */
export type Fault = 'customer' | 'merchant' | 'carrier' | 'none';

/** What a shop says of a reason. */
export type ReasonFacts = {
  /** `group.reason`, or a group alone. */
  readonly code: string;
  /** Texts for people, by language tag (BCP 47). */
  readonly labels: Readonly<Record<string, string>>;
  readonly fault: Fault;
  /** Whether whoever asks for the return must say more in words. */
  readonly noteRequired: boolean;
  /** Whether a line is approved only once there is an attachment that shows something of it. */
  readonly evidenceRequired: boolean;
  /** What lines that come back for it may ask for. */
  readonly resolutions: readonly Resolution[];
  /** Whether new returns may give it. */
  readonly active: boolean;
};

/** A reason as it stands: 0 is the version of a built-in one that nobody has changed. */
export type ReasonDefinition = ReasonFacts & { readonly group: string; readonly version: number };

/** Reasons by their codes. A Map, because `__proto__` is a code like any other. */
export type Reasons = ReadonlyMap<string, ReasonDefinition>;

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
