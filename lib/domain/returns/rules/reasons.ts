import type { Result } from '../failure.ts';
import { fail, ok } from '../../../runtime/result.ts';
import type { Resolution, LiableParty, ReasonDefinition, ReasonFacts, Reasons } from '../model/return.ts';

/**
 * The built-in reasons (contract section 10), two levels deep: code, liable party, English label.
 * They apply until the shop changes them. For a reason such as damaged or defective, the shop is liable towards
 * the customer. The shop settles it with its carrier.
 */
export const builtInReasonRows = [
  ['preference.changed_mind', 'customer', 'Changed my mind'],
  ['preference.better_price', 'customer', 'Found a better price'],
  ['preference.style', 'customer', 'Style not as wanted'],
  ['preference.color', 'customer', 'Color not as wanted'],
  ['fit.too_small', 'customer', 'Too small'],
  ['fit.too_large', 'customer', 'Too large'],
  ['fit.other', 'customer', 'Does not fit'],
  ['order_error.customer_ordered_wrong', 'customer', 'Ordered the wrong item'],
  ['order_error.duplicate', 'customer', 'Ordered twice'],
  ['order_error.unauthorized', 'customer', 'Ordered without permission'],
  ['fulfilment.wrong_item', 'merchant', 'Received the wrong item'],
  ['fulfilment.missing_parts', 'merchant', 'Parts or pieces are missing'],
  ['fulfilment.extra_item', 'merchant', 'Received an item that was not ordered'],
  ['delivery.late', 'carrier', 'Arrived too late'],
  ['delivery.not_delivered', 'carrier', 'Was not delivered'],
  ['condition.damaged_in_transit', 'carrier', 'Damaged on the way'],
  ['condition.defective', 'merchant', 'Defective'],
  ['condition.damaged_or_defective', 'merchant', 'Damaged or defective'],
  ['condition.packaging_damaged', 'carrier', 'Packaging damaged'],
  ['description.not_as_described', 'merchant', 'Not as described'],
  ['product.quality', 'merchant', 'Quality not as expected'],
  ['product.performance', 'none', 'Does not perform as expected'],
  ['product.incompatible', 'customer', 'Not compatible'],
  ['safety.adverse_reaction', 'merchant', 'Caused an adverse reaction'],
  ['other', 'none', 'Another reason'],
  ['unknown', 'none', 'Unknown'],
] as const satisfies readonly (readonly [code: string, liableParty: LiableParty, label: string])[];

const resolutions: readonly Resolution[] = ['refund', 'exchange', 'store_credit', 'repair', 'none'];

const groupOf = (code: string): string => code.split('.')[0] ?? code;

/** The built-in reasons. They require no note and no evidence, and allow every resolution. */
export const builtInReasons: Reasons = new Map(
  builtInReasonRows.map(([code, liableParty, label]) => [
    code,
    {
      code,
      group: groupOf(code),
      labels: { en: label },
      fault: liableParty,
      noteRequired: false,
      evidenceRequired: false,
      resolutions,
      active: true,
      version: 0,
    },
  ]),
);

/** Merges a shop's changed reasons over the built-in ones. `get` returns the reason of a code. */
export const mergeReasons = (changed: readonly ReasonDefinition[]): Reasons =>
  new Map([...builtInReasons, ...changed.map((reason): [string, ReasonDefinition] => [reason.code, reason])]);

const maxReasons = 200;

/** Returns the changed reasons with a new version of one of them. A shop has at most 200 reasons in total. */
export const putReason = (
  changed: readonly ReasonDefinition[],
  facts: ReasonFacts,
): Result<{ readonly reason: ReasonDefinition; readonly changed: readonly ReasonDefinition[] }> => {
  const { code } = facts;
  const reasons = mergeReasons(changed);
  if (!reasons.has(code) && reasons.size >= maxReasons) {
    const message = `must be an existing code: the maximum of ${maxReasons} reasons is reached`;
    const errors = [{ path: '/code', code: 'max_items', message }];
    return fail({ code: 'invalid_request', detail: 'The maximum number of reasons is reached.', errors });
  }
  const reason = { ...facts, group: groupOf(code), version: (reasons.get(code)?.version ?? 0) + 1 };
  return ok({ reason, changed: [...changed.filter((known) => known.code !== code), reason] });
};
