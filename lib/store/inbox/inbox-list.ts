import { batchGet } from '../engine/batch-get.ts';
import { deliveryIndexQueries, positionOf } from './inbox-index.ts';
import type { InboxHead } from './inbox-row.ts';
import type { Session } from '../engine/session.ts';
import { mergePages, readIndexPage, type Bounds } from '../engine/index-page.ts';

/** The fields of a delivery in a list, without its body. */
export type ListedRow = Omit<InboxHead, 'bodyHash' | 'headers' | 'expiresAt'>;

const listedAttributes = [
  'platform',
  'source',
  'deliveryId',
  'topic',
  'eventId',
  'triggeredAt',
  'apiVersion',
  'receivedAt',
  'traceId',
  'status',
  'attempts',
  'lastError',
  'settledAt',
  'returnId',
  'orderId',
  'orderPlatform',
  'reason',
  'runs',
] as const satisfies readonly (keyof ListedRow)[];

/** A delivery and its position. */
export type PositionedDelivery = { readonly position: string; readonly key: string; readonly row: ListedRow };

/** Deliveries by descending position. `rest` reports that lower ones follow `last`. */
export type DeliveryPage = {
  readonly items: readonly PositionedDelivery[];
  readonly rest: boolean;
  readonly last?: string;
};

/** Returns a page of deliveries. The selection and the rows are eventually consistent. */
export const readDeliveries = async (
  session: Session,
  selection: Parameters<typeof deliveryIndexQueries>[0],
  bounds: Bounds,
  limit: number,
): Promise<DeliveryPage> => {
  const queries = deliveryIndexQueries(selection);
  const stretch = mergePages(
    await Promise.all(queries.map(async (query) => readIndexPage(session, query, bounds, limit))),
  );
  const placed = stretch.items.slice(0, limit).map(({ position, item }) => ({
    position,
    // A link row names the delivery; an index holds the delivery itself.
    key: String(item['delivery'] ?? item['pk']),
  }));
  // A reopened delivery is also in byDeadline, at another position.
  const keys = [...new Set(placed.map(({ key }) => key))].map((key) => ({ pk: key, sk: 'DELIVERY' }));
  const read = (await batchGet(session, keys, ['pk', ...listedAttributes])) as (ListedRow & { readonly pk: string })[];
  const rows = new Map(read.map(({ pk, ...row }) => [pk, row]));
  const last = placed.at(-1)?.position;
  return {
    items: placed.flatMap(({ position, key }) => {
      const row = rows.get(key);
      return row === undefined || positionOf(key, row.receivedAt) !== position ? [] : [{ position, key, row }];
    }),
    rest: stretch.rest || stretch.items.length > placed.length,
    ...(last === undefined ? {} : { last }),
  };
};
