import type { SeenLine } from '../shared/sync/seen.ts';
import { reasonBy } from '../shared/fields/reason.ts';
import { clip } from '../shared/fields/text.ts';

/*
 * A shop's words for why its items come back, in what state and for what. They are labels that it may edit: the first of
 * each are those that Commerce is installed with, the others what shops commonly add.
 * https://experienceleague.adobe.com/en/docs/commerce-admin/stores-sales/order-management/returns/returns
 */
const reasons: Readonly<Record<string, readonly string[]>> = {
  'preference.color': ['wrong color', 'wrong colour'],
  'fit.other': ['wrong size', 'does not fit', "doesn't fit"],
  'condition.defective': ['out of service', 'defective', 'faulty'],
  other: ['other'],
  'preference.changed_mind': ['changed my mind', 'no longer needed', 'unwanted'],
  'preference.better_price': ['better price', 'found a better price'],
  'fit.too_small': ['too small', 'size too small'],
  'fit.too_large': ['too large', 'too big', 'size too large'],
  'order_error.customer_ordered_wrong': ['ordered wrong item', 'ordered by mistake'],
  'fulfilment.wrong_item': ['wrong item', 'received wrong item', 'wrong item received', 'wrong product'],
  'fulfilment.missing_parts': ['missing parts'],
  'delivery.late': ['arrived late', 'arrived too late', 'late delivery'],
  'condition.damaged_in_transit': ['damaged in transit', 'damaged on arrival', 'arrived damaged'],
  'condition.damaged_or_defective': ['damaged', 'damaged or defective'],
  'description.not_as_described': ['not as described', 'item not as described'],
  'product.quality': ['quality', 'poor quality'],
  'product.incompatible': ['incompatible', 'not compatible'],
  unknown: ['unknown'],
};

const codes = new Map(Object.entries(reasons).flatMap(([code, words]) => words.map((word) => [word, code] as const)));

const resolutions: Readonly<Record<string, SeenLine['resolution']>> = {
  exchange: 'exchange',
  replacement: 'exchange',
  refund: 'refund',
  'store credit': 'store_credit',
  repair: 'repair',
};

const known = <Value>(table: Readonly<Record<string, Value>>, label = ''): Value | undefined => {
  const word = label.trim().toLowerCase();
  return Object.hasOwn(table, word) ? table[word] : undefined;
};

/**
 * Why an item comes back. A label of the shop's own making is `other`, an option without a label or no option `unknown`;
 * the option's number and its label are kept as the source.
 */
export const reasonOf = (option: string | undefined, label: string | undefined, note: unknown): SeenLine['reason'] => {
  const code = label === undefined ? 'unknown' : (codes.get(label.trim().toLowerCase()) ?? 'other');
  return reasonBy(code, { system: 'adobe', word: option, label, note });
};

/** In what state an item comes back, in the shop's word. */
export const conditionOf = (label: string | undefined): string | undefined => clip(label?.toLowerCase(), 100);

/** What the customer wants for it; nothing for a wish of the shop's own making. */
export const resolutionOf = (label: string | undefined): SeenLine['resolution'] => known(resolutions, label);
