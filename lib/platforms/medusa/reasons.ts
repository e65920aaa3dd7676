import { isObject } from '../../runtime/json.ts';
import type { SeenLine } from '../shared/sync/seen.ts';
import { reasonBy } from '../shared/fields/reason.ts';
import { clip } from '../shared/fields/text.ts';

/*
 * Each shop makes up its own reasons: a value for machines, a label for customers. These are the words that shops use
 * most, and those of ours; what is none of them is another reason, and is kept as the shop has it.
 */
const words: Readonly<Record<string, readonly string[]>> = {
  'preference.changed_mind': [
    'changed-mind',
    'changed-my-mind',
    'unwanted',
    'no-longer-needed',
    'not-needed',
    'dislike',
  ],
  'preference.better_price': ['better-price', 'found-cheaper', 'too-expensive'],
  'preference.style': ['style'],
  'preference.color': ['color', 'colour', 'wrong-color', 'wrong-colour'],
  'fit.too_small': ['too-small', 'size-too-small', 'too-tight', 'too-short', 'too-narrow'],
  'fit.too_large': ['too-large', 'too-big', 'size-too-large', 'size-too-big', 'too-loose', 'too-long', 'too-wide'],
  'fit.other': ['fit', 'size', 'wrong-size', 'does-not-fit', 'doesnt-fit', 'bad-fit'],
  'order_error.customer_ordered_wrong': ['ordered-wrong-item', 'ordered-by-mistake', 'accidental-order'],
  'order_error.duplicate': ['duplicate', 'duplicate-order', 'ordered-multiple'],
  'order_error.unauthorized': ['unauthorized-purchase'],
  'fulfilment.wrong_item': ['wrong-item', 'wrong-product', 'received-wrong-item', 'different-product'],
  'fulfilment.missing_parts': ['missing-parts', 'missing-item', 'missing-items', 'incomplete'],
  'fulfilment.extra_item': ['extra-item'],
  'delivery.late': ['late', 'arrived-late', 'arrived-too-late', 'late-delivery'],
  'delivery.not_delivered': ['not-delivered', 'not-received', 'never-arrived'],
  'condition.damaged_in_transit': ['damaged', 'arrived-damaged', 'damaged-in-transit', 'item-damaged', 'broken'],
  'condition.packaging_damaged': ['packaging-damaged', 'damaged-packaging'],
  'condition.defective': ['defective', 'defect', 'faulty', 'production-failure', 'not-working', 'does-not-work'],
  'condition.damaged_or_defective': ['damaged-or-defective', 'defective-or-damaged'],
  'description.not_as_described': ['not-as-described', 'item-not-as-described', 'not-as-pictured'],
  'product.quality': ['quality', 'bad-quality', 'poor-quality'],
  'product.performance': ['performance'],
  'product.incompatible': ['incompatible', 'not-compatible'],
  'safety.adverse_reaction': ['adverse-reaction', 'allergic-reaction'],
  other: ['other', 'other-reason'],
  unknown: ['unknown'],
};

/** One form for `Wrong size`, `wrong_size` and `wrong-size`. */
const formOf = (word: string): string =>
  word
    .toLowerCase()
    .replaceAll("'", '')
    .replaceAll(/[^a-z]+/g, '-')
    .replaceAll(/^-|-$/g, '');

const codes: ReadonlyMap<string, string> = new Map(
  Object.entries(words).flatMap(([code, ofCode]) =>
    [formOf(code), ...ofCode].map((word): [string, string] => [word, code]),
  ),
);

/**
 * Why a line comes back: by the value of the shop's reason, or else its label; the shop's own words are kept as the
 * source. Nobody has to give a reason.
 * https://docs.medusajs.com/resources/commerce-modules/order/return#return-reasons
 */
export const reasonOf = (reason: unknown, note: unknown): SeenLine['reason'] => {
  const { value, label: shown } = isObject(reason) ? reason : {};
  const label = clip(shown, 500);
  const word = clip(value, 200) ?? clip(shown, 200);
  const known = word === undefined ? 'unknown' : codes.get(formOf(word));
  return reasonBy(known ?? codes.get(formOf(label ?? '')) ?? 'other', { system: 'medusa', word, label, note });
};
