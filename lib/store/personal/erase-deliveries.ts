import type { Key } from '../engine/keys.ts';
import type { Session } from '../engine/session.ts';
import { deleteBody } from '../inbox/inbox-bodies.ts';
import { orderLinksPartition, returnLinksPartition } from '../inbox/inbox-index.ts';
import { nameLinksPartition, nameLinkKeys } from '../inbox/inbox-names.ts';
import type { InboxRow } from '../inbox/inbox-row.ts';
import { deliveryKey, readDelivery } from '../inbox/inbox.ts';
import { deleteItem, type ErasedPage, type PageRequest, readPartition } from './erased-page.ts';

/**
 * Deletes a delivery with its body. Its row is deleted after all other rows, and before the link that led here: an
 * interrupted erasure finds it again.
 *
 * @param link the row that leads to the delivery
 * @returns the delivery, if it existed
 */
const eraseDelivery = async (
  session: Session,
  { link, key, countOnly }: { readonly link: Key; readonly key: string; readonly countOnly: boolean },
): Promise<InboxRow | undefined> => {
  const row = await readDelivery(session, key);
  if (row === undefined || countOnly) return row;
  const others = nameLinkKeys(key, row).filter(({ pk }) => pk !== link.pk);
  await Promise.all(others.map(async (other) => deleteItem(session, other)));
  if ('bodyKey' in row) await deleteBody(session, row.bodyKey);
  await deleteItem(session, deliveryKey(key));
  return row;
};

/** The subject of deliveries: a return, an order, or a name in a body without a readable order. */
export type DeliverySubject =
  | { readonly returnId: string }
  | { readonly platform: string; readonly orderId: string }
  | { readonly nameDigest: string };

const linksPartitionOf = (of: DeliverySubject): string => {
  if ('returnId' in of) return returnLinksPartition(of.returnId);
  return 'nameDigest' in of ? nameLinksPartition(of.nameDigest) : orderLinksPartition(of);
};

const none: ReadonlySet<string> = new Set();

/**
 * Erases or counts the deliveries of a subject.
 *
 * @param except digests of names: deliveries with one of them are counted elsewhere
 */
export const eraseDeliveries = async (
  session: Session,
  of: DeliverySubject,
  { after, countOnly, except = none }: PageRequest & { readonly except?: ReadonlySet<string> },
): Promise<ErasedPage<ReadonlySet<string>>> => {
  const { items, last } = await readPartition(session, linksPartitionOf(of), after);
  const found = await Promise.all(
    items.map(async ({ pk, sk, delivery }) => {
      const key = String(delivery);
      const row = await eraseDelivery(session, { link: { pk, sk }, key, countOnly });
      if (!countOnly) await deleteItem(session, { pk, sk });
      return row === undefined || row.nameDigests?.some((digest) => except.has(digest)) ? [] : [key];
    }),
  );
  return { count: new Set(found.flat()), ...(last !== undefined && { after: last }) };
};
