import { sha256 } from '../../../runtime/hash.ts';
import { lineIdOf, type ReturnInfoNode } from './nodes.ts';

/*
 * A ReturnInfo has no id, and must be recognised through all its changes. Its items' ids do not help. The only change
 * from announced to arrived is to set the order's return info again, which creates new items. The tracking id does not
 * help either: it is often added in that second version. What persists is what the merchant returns. These are the keys
 * of the items or, unless all have one, their order lines. Quantities are left out, because fewer units may arrive than
 * announced.
 *
 * Two return infos of an order with the same lines and without keys are distinguished by their position. The API
 * preserves their order. If one is removed, the next takes its position. The open and arrived units are then right in
 * sum.
 */

const partsOf = ({ items }: ReturnInfoNode): readonly string[] => {
  const keys = items.map(({ key }) => key);
  const named = items.length > 0 && keys.every((key) => key !== undefined && key !== '');
  const parts = named ? keys.map((key) => `key ${key}`) : items.map((item) => `line ${lineIdOf(item) ?? ''}`);
  return [...new Set(parts)].toSorted();
};

const digestOf = (info: ReturnInfoNode): string => sha256(JSON.stringify(partsOf(info)), 'base64url').slice(0, 22);

/**
 * Returns the return infos of an order with the external ids of their returns.
 * An id is `<order>:<digest>`, with the suffix `.2` and so on for repeated ones.
 */
export const withExternalIds = (
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
