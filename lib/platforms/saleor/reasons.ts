import type { SeenLine } from '../shared/sync/seen.ts';
import { reasonBy } from '../shared/fields/reason.ts';
import { clip } from '../shared/fields/text.ts';
import type { ReasonNode } from './queries.ts';

/*
 * Saleor has no list of reasons: staff writes why something came back, and since 3.23 may name a page that the shop made
 * of a reason. Shops that make such pages of our reasons are understood, by the slug of the page.
 * https://docs.saleor.io/api-reference/orders/objects/fulfillment-line
 */
const codes = [
  'preference.changed_mind',
  'preference.better_price',
  'preference.style',
  'preference.color',
  'fit.too_small',
  'fit.too_large',
  'fit.other',
  'order_error.customer_ordered_wrong',
  'order_error.duplicate',
  'order_error.unauthorized',
  'fulfilment.wrong_item',
  'fulfilment.missing_parts',
  'fulfilment.extra_item',
  'delivery.late',
  'delivery.not_delivered',
  'condition.damaged_in_transit',
  'condition.defective',
  'condition.damaged_or_defective',
  'condition.packaging_damaged',
  'description.not_as_described',
  'product.quality',
  'product.performance',
  'product.incompatible',
  'safety.adverse_reaction',
  'unknown',
] as const;

/** A code as the slug of a page: `fit-too-small`. */
const slugOf = (code: string): string => code.replaceAll(/[._]/g, '-');

const bySlug = new Map<string, string>(codes.map((code) => [slugOf(code), code]));

/** The code that a page stands for: the whole of one, or what is behind its group. Never fails: a shop may name its own. */
export const reasonCode = (slug: string): string => {
  const word = slug.trim().toLowerCase();
  const tail = codes.filter((code) => slugOf(code.slice(code.indexOf('.') + 1)) === word && !code.endsWith('.other'));
  return bySlug.get(word) ?? (tail.length === 1 ? tail[0] : undefined) ?? 'other';
};

/** Why a line came back: what is said of the line, or of all that came with it. */
export const reasonOf = (
  line: Omit<ReasonNode, 'id'> | undefined,
  whole: Omit<ReasonNode, 'id'> | undefined,
): SeenLine['reason'] => {
  const note = clip(line?.reason, 4000) ?? clip(whole?.reason, 4000);
  const page = line?.reasonReference ?? whole?.reasonReference;
  const slug = clip(page?.slug, 200);
  const code = slug === undefined ? (note === undefined ? 'unknown' : 'other') : reasonCode(slug);
  return reasonBy(code, { system: 'saleor', word: slug, label: page?.title, note });
};
