import type { SeenLine } from '../shared/sync/seen.ts';
import { reasonBy } from '../shared/fields/reason.ts';
import { clip } from '../shared/fields/text.ts';

/*
 * The return app's words for why something comes back, in our reason codes: those that it offers where the merchant has
 * defined none. Written without regard to case, spaces, and the prefix that some versions store.
 * https://github.com/vtex-apps/return-app/blob/main/docs/README.md
 */
const codes: Readonly<Record<string, string>> = {
  accidentalorder: 'order_error.customer_ordered_wrong',
  betterprice: 'preference.better_price',
  performance: 'product.performance',
  incompatible: 'product.incompatible',
  itemdamaged: 'condition.damaged_in_transit',
  misseddelivery: 'delivery.not_delivered',
  missingparts: 'fulfilment.missing_parts',
  boxdamaged: 'condition.packaging_damaged',
  differentproduct: 'fulfilment.wrong_item',
  defective: 'condition.defective',
  arrivedinaddition: 'fulfilment.extra_item',
  nolongerneeded: 'preference.changed_mind',
  unauthorizedpurchase: 'order_error.unauthorized',
  differentfromwebsite: 'description.not_as_described',
  otherreason: 'other',
};

/** Our code for a word of the app; a merchant's own words are `other`, and no words `unknown`. */
const reasonCode = (word: string): string => {
  const plain = word.toLowerCase().replaceAll(/[^a-z]/g, '');
  const known = [plain, plain.replace(/^reason/, '')].find((one) => Object.hasOwn(codes, one));
  if (known !== undefined) return codes[known] ?? 'other';
  return word.trim() === '' ? 'unknown' : 'other';
};

/** Why a line comes back; the app's or the merchant's own word is kept as the source. */
export const reasonOf = (from: { readonly reason?: unknown; readonly otherReason?: unknown }): SeenLine['reason'] => {
  const word = clip(from.reason, 200);
  return reasonBy(reasonCode(word ?? ''), { system: 'vtex', word, note: from.otherReason });
};
