import { ok, type Result } from '../../contract/result.ts';
import { objectsOf } from '../shared/fields/fields.ts';
import type { ShopFailure } from '../platform.ts';
import { clip } from '../shared/fields/text.ts';
import { ask, type RegisteredShop } from './api.ts';
import { perContainer } from '../../runtime/container.ts';

/** The attributes of a return's items whose values are numbers of options that the shop may edit. */
export type Attribute = 'reason' | 'condition' | 'resolution';

/** The label of each option, by its number. */
export type Labels = ReadonlyMap<string, string>;

const timeToLive = 3_600_000;
/** An option that was added since is looked for at most this often. */
const leastAge = 60_000;

const cache = perContainer(() => new Map<string, { readonly at: number; readonly labels: Labels }>());

/**
 * The labels of an attribute's options, kept in the container. None where the shop does not tell them: some versions
 * answer nothing when the attribute set has another number than it was installed with.
 * https://developer.adobe.com/commerce/webapi/rest/
 *
 * @param needed the numbers to find: where one is not among those at hand, they are read again
 */
export const labelsOf = async (
  shop: RegisteredShop,
  attribute: Attribute,
  needed: readonly string[],
): Promise<Result<Labels, ShopFailure>> => {
  const name = `${shop.source} ${attribute}`;
  const kept = cache();
  const known = kept.get(name);
  const age = known === undefined ? Number.POSITIVE_INFINITY : Date.now() - known.at;
  const isWhole = known !== undefined && needed.every((id) => known.labels.has(id));
  if (needed.length === 0) return ok(new Map());
  if (known !== undefined && age < (isWhole ? timeToLive : leastAge)) return ok(known.labels);
  const answer = await ask(shop, `returnsAttributeMetadata/${attribute}`);
  if (!answer.ok && answer.failure.kind === 'retryable') return answer;
  const options = answer.ok ? objectsOf(answer.value['options']) : [];
  const labels = new Map(
    options.flatMap(({ value, label }): [string, string][] => {
      const text = clip(label, 500);
      return text === undefined || (typeof value !== 'string' && typeof value !== 'number')
        ? []
        : [[String(value), text]];
    }),
  );
  kept.set(name, { at: Date.now(), labels });
  return ok(labels);
};
