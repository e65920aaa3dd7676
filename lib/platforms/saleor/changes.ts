import { fail, ok, type Result } from '../../contract/result.ts';
import type { Shop } from '../shared/http/api.ts';
import { instant } from '../shared/fields/instants.ts';
import type { Change, Changes, From, ShopFailure } from '../platform.ts';
import { ask } from './api.ts';
import { notAhead } from '../shared/http/next-start.ts';
import { isGlobalId } from './global-id.ts';
import { changedQuery, type ChangedNode, type ChangedPage } from './queries.ts';
import { changed } from './translate.ts';
import { refundedOnly, returned } from './words.ts';

/** Saleor tells the time of a change before it can be seen: the last minutes are looked at again. */
const overlapMs = 120_000;

/** Where to go on: the time that all pages of a listing began at, and the last of them that was read, if it goes on. */
type Cursor = { readonly since: string; readonly after?: string };

const readCursor = (text: string): Cursor | undefined => {
  const [time = '', after] = text.split(' ');
  const since = instant(time);
  return since === undefined ? undefined : { since, ...(after !== undefined && { after }) };
};

const writeCursor = ({ since, after }: Cursor): string => (after === undefined ? since : `${since} ${after}`);

/** Most orders that change are none of ours: nothing of them came back. */
const concerns = ({ fulfillments, transactions, grantedRefunds }: ChangedNode): boolean =>
  fulfillments.some(({ status }) => returned.has(status) || status === refundedOnly) ||
  transactions.some(({ refundedAmount }) => refundedAmount.amount !== 0) ||
  grantedRefunds.length > 0;

const changeOf = ({ id, updatedAt }: ChangedNode): Change => ({
  topic: changed,
  deliveryId: `${id}.${updatedAt}`,
  body: { order: { id } },
});

/**
 * The orders that have changed since, of which something came back or money was given for, a page of them at a time. A
 * listing that goes on does so by Saleor's own cursor, and begins anew where that is not understood any more.
 */
export const changedSince = async (shop: Shop, from: From): Promise<Result<Changes, ShopFailure>> => {
  const { since, after } = readCursor(from.cursor ?? '') ?? { since: from.since };
  const answer = await ask<ChangedPage>(shop, changedQuery, { since, after: after ?? null });
  if (!answer.ok && after !== undefined && answer.failure.kind === 'permanent') return changedSince(shop, { since });
  if (!answer.ok) return answer;
  const { orders } = answer.value.data;
  if (orders === null) return fail({ kind: 'retryable', reason: 'shop_denied_access' });
  const nodes = orders.edges.map(({ node }) => node).filter(({ id }) => isGlobalId(id, 'Order'));
  const found = nodes.filter(concerns).map(changeOf);
  const { hasNextPage, endCursor } = orders.pageInfo;
  if (hasNextPage && endCursor !== null && !endCursor.includes(' '))
    return ok({ found, cursor: writeCursor({ since, after: endCursor }), more: true });
  const last = instant(nodes.at(-1)?.updatedAt);
  const next = last === undefined ? since : new Date(Date.parse(notAhead(last)) - overlapMs).toISOString();
  return ok({ found, cursor: next > since ? next : since, more: false });
};
