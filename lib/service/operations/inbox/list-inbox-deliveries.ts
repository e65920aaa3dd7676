import type { Input, Output } from '../../../contract/contract.ts';
import type { Call, Reply } from '../../../contract/port.ts';
import type { Result } from '../../../contract/result.ts';
import { fail, ok } from '../../../runtime/result.ts';
import { withStore } from '../../execution/execute.ts';
import { toMillisecondInstant } from '../../execution/observation.ts';
import { takeFitting } from '../../../store/engine/pack.ts';
import { type DeliveryPage, type ListedRow, readDeliveries } from '../../../store/inbox/inbox-list.ts';
import { decodeInboxKey } from '../../../store/inbox/inbox-row.ts';
import { readDelivery } from '../../../store/inbox/inbox.ts';
import { deliveryView, summaryView } from './delivery-view.ts';
import { cursorAt, deliveryNotFound, isAbout, orderNeedsPlatform, positionIn } from './position.ts';

/** Reads a delivery with its headers and body. */
export const getInboxDelivery = async (
  { deliveryKey }: Input<'getInboxDelivery'>,
  call: Call,
): Promise<Result<Reply<Output<'getInboxDelivery'>>>> =>
  withStore(call, async (session) => {
    const key = decodeInboxKey(deliveryKey);
    const row = await readDelivery(session, key);
    return row === undefined
      ? fail(deliveryNotFound)
      : ok({ status: 200, body: await deliveryView(key, row, Date.now()) });
  });

const defaultLimit = 50;
/** The number of deliveries that a page examines for the other filters. With few matches the page is short. */
const scanSize = 100;

type Filter = Omit<Input<'listInboxDeliveries'>, 'limit' | 'cursor'>;

const matches = (row: ListedRow, filter: Filter): boolean =>
  isAbout(row, filter) &&
  (filter.status === undefined || row.status === filter.status) &&
  (filter.receivedFrom === undefined || row.receivedAt >= filter.receivedFrom);

/** Returns the matching deliveries, and the last examined position if there may be more. */
const pageOf = ({ items, rest, last }: DeliveryPage, filter: Filter, limit: number) => {
  const found = items.filter(({ row }) => matches(row, filter));
  const page = takeFitting(found.slice(0, limit).map(({ key, row }) => summaryView(key, row)));
  if (found.length > page.length) return { page, position: found[page.length - 1]?.position };
  return { page, position: rest ? last : undefined };
};

/** Lists deliveries, the latest received first. */
export const listInboxDeliveries = async (
  { limit = defaultLimit, cursor, receivedFrom, ...others }: Input<'listInboxDeliveries'>,
  call: Call,
): Promise<Result<Reply<Output<'listInboxDeliveries'>>>> => {
  // In milliseconds, like the times of deliveries, so that it compares as text.
  const filter = {
    ...others,
    ...(receivedFrom === undefined ? {} : { receivedFrom: toMillisecondInstant(receivedFrom) }),
  };
  const { status, platform, orderId, returnId } = filter;
  if (orderId !== undefined && platform === undefined) return fail(orderNeedsPlatform);
  const before = cursor === undefined ? ok(undefined) : positionIn(cursor, filter);
  if (!before.ok) return before;
  const selection = {
    ...(status === undefined ? {} : { statuses: [status] }),
    ...(returnId === undefined ? {} : { returnId }),
    ...(orderId === undefined || platform === undefined ? {} : { order: { platform, orderId } }),
  };
  const bounds = {
    ...(filter.receivedFrom === undefined ? {} : { from: filter.receivedFrom }),
    ...(before.value === undefined ? {} : { before: before.value }),
  };
  return withStore(call, async (session) => {
    // One more than requested, to detect a next page.
    const found = await readDeliveries(session, selection, bounds, Math.max(limit, scanSize) + 1);
    const { page, position } = pageOf(found, filter, limit);
    const nextCursor = position === undefined ? null : cursorAt(position, filter);
    return ok({ status: 200, body: { items: page, nextCursor } });
  });
};
