import { sha256 } from '../../runtime/hash.ts';
import { lineIdOf, type ReturnInfoNode } from './nodes.ts';

/*
 * A ReturnInfo has no id, and must be known again through all that happens to it. Its items' ids do not help: the one
 * way to go from announced to arrived is to set the order's return info anew, which makes new items. The tracking id
 * does not help either: it often comes with that second version. What survives is what the merchant returns: the keys
 * that he gave to the items or, unless all have one, the lines of the order that they are of. Quantities are left out
 * because less may come than was announced.
 *
 * Two return infos of an order that are of the same lines without keys are told apart by their order, in which
 * commercetools keeps them: the first, the second. Where one is taken away the next takes its place; what is open and
 * what came is then right in sum.
 */

const partsOf = ({ items }: ReturnInfoNode): readonly string[] => {
  const keys = items.map(({ key }) => key);
  const named = items.length > 0 && keys.every((key) => key !== undefined && key !== '');
  const parts = named ? keys.map((key) => `key ${key}`) : items.map((item) => `line ${lineIdOf(item) ?? ''}`);
  return [...new Set(parts)].toSorted();
};

const digestOf = (info: ReturnInfoNode): string => sha256(JSON.stringify(partsOf(info)), 'base64url').slice(0, 22);

/** The return infos of an order, each by the external id of its return: `<order>:<digest>`, for its like `….2` and so on. */
export const identified = (
  orderId: string,
  infos: readonly ReturnInfoNode[],
): readonly { readonly externalId: string; readonly info: ReturnInfoNode }[] => {
  const seen = new Map<string, number>();
  return infos.map((info) => {
    const digest = digestOf(info);
    const count = (seen.get(digest) ?? 0) + 1;
    seen.set(digest, count);
    return { externalId: `${orderId}:${digest}${count === 1 ? '' : `.${count}`}`, info };
  });
};

/** The order that the return of an external id is of. */
export const orderIdOf = (externalId: string): string | undefined => /^([A-Za-z0-9_-]{1,100}):/.exec(externalId)?.[1];
