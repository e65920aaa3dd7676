import type { SeenLine } from '../shared/sync/seen.ts';
import { reasonBy } from '../shared/fields/reason.ts';
import { clip } from '../shared/fields/text.ts';

/*
 * Shopify's words for why something comes back, in our reason codes. Two vocabularies: the ReturnReason enum
 * (lower-case in webhooks) and the handles of the growing ReturnReasonDefinition library.
 * https://github.com/Shopify/product-taxonomy/blob/main/dist/en/return_reasons.txt
 */
const exact: Readonly<Record<string, readonly string[]>> = {
  'preference.changed_mind': ['unwanted', 'changed-my-mind', 'trial-period-ending'],
  'preference.better_price': ['budget'],
  'preference.style': ['style'],
  'preference.color': ['color', 'shade', 'color-too-bright', 'color-too-muted', 'lens-color', 'frame-color'],
  'fit.too_small': ['size-too-small', 'too-small', 'too-tight', 'too-short', 'too-narrow'],
  'fit.too_large': ['size-too-large', 'too-big', 'too-loose', 'too-long', 'too-wide'],
  'fit.other': ['fit', 'size', 'length', 'width', 'height'],
  'order_error.customer_ordered_wrong': ['ordered-wrong-item', 'ordered-wrong-format'],
  'order_error.duplicate': ['duplicate-order', 'ordered-multiple'],
  'fulfilment.wrong_item': ['wrong-item', 'received-the-wrong-item'],
  'fulfilment.missing_parts': ['wrong-amount', 'quantity'],
  'delivery.late': ['arrived-late'],
  'delivery.not_delivered': ['delivery-issue'],
  'condition.damaged_in_transit': ['surface-damage', 'scratched', 'stained'],
  'condition.packaging_damaged': ['damaged-packaging', 'packaging-not-sealed'],
  'condition.defective': ['product-leaks', 'product-overheats', 'breaks-easily', 'seams-splitting'],
  // Shopify's enum merges damage and defect, and guessing which would decide who pays.
  'condition.damaged_or_defective': ['defective', 'damaged-or-defective'],
  'description.not_as_described': ['not-as-described', 'item-not-as-described'],
  'product.quality': ['quality', 'pilling', 'poor-stitching', 'material-not-durable'],
  'product.performance': ['performance', 'effectiveness', 'battery-life', 'speed'],
  'product.incompatible': ['incompatible', 'fitment', 'vehicle-fit', 'laptop-fit'],
  'safety.adverse_reaction': ['caused-allergic-reaction', 'caused-irritation', 'side-effects', 'painful'],
  other: ['other', 'other-reason'],
  unknown: ['unknown', ''],
};

const codes = new Map(Object.entries(exact).flatMap(([code, words]) => words.map((word) => [word, code] as const)));

/** Parts of garments and shoes: "waist-too-high" is about fit, "bristles-too-coarse" is not. */
const bodyPart = '(?:band|bust|chest|collar|cuff|cups|footbed|heel|inseam|legs|sleeves|sole|straps|waist)';

const patterns: readonly (readonly [RegExp, string])[] = [
  [/-too-(?:small|tight|short|narrow)$|^tight-around-/, 'fit.too_small'],
  [/-too-(?:big|loose|long|wide)$|^loose-around-/, 'fit.too_large'],
  [/^color-too-/, 'preference.color'],
  [new RegExp(`^${bodyPart}-too-`), 'fit.other'],
  [/^damaged-after-/, 'product.quality'],
  [/^doesnt-fit-/, 'product.incompatible'],
];

/**
 * Our code for a word of Shopify's: exact word, then pattern, then a default. Never fails, because both vocabularies
 * grow: an unknown enum word is `other`, an unknown handle names an attribute of the product that did not suit.
 */
export const reasonCode = (word: string, vocabulary: 'enum' | 'handle'): string => {
  const handle = word.trim().toLowerCase().replaceAll('_', '-');
  const known = codes.get(handle) ?? patterns.find(([pattern]) => pattern.test(handle))?.[1];
  return known ?? (vocabulary === 'handle' ? 'product.performance' : 'other');
};

/** Why a line comes back, from either of Shopify's vocabularies; its own word is kept as the source. */
export const reasonOf = (from: {
  readonly word: unknown;
  readonly handle?: unknown;
  readonly label?: unknown;
  readonly note: unknown;
}): SeenLine['reason'] => {
  const handle = clip(from.handle, 200);
  const word = handle ?? clip(from.word, 200);
  const code = reasonCode(word ?? '', handle === undefined ? 'enum' : 'handle');
  return reasonBy(code, { system: 'shopify', word, label: from.label, note: from.note });
};
