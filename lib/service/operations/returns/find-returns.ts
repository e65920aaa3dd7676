import type { Input, Output } from '../../../contract/contract.ts';
import type { Call, Reply } from '../../../contract/port.ts';
import { foldReference } from '../../../contract/fold-reference.ts';
import type { Result } from '../../../contract/result.ts';
import { ok } from '../../../runtime/result.ts';
import { withStore } from '../../execution/execute.ts';
import type { OrderRef } from '../../../domain/returns/model/order.ts';
import type { Summary } from '../../../domain/returns/summary.ts';
import { platformsConfig } from '../../../runtime/configuration/config.ts';
import { configured } from '../../../runtime/container.ts';
import { type IndexQuery, openIndexQuery, orderIndexQuery, trackingIndexQuery } from '../../../store/engine/indexes.ts';
import { takeFitting } from '../../../store/engine/pack.ts';
import type { Session } from '../../../store/engine/session.ts';
import { readOrdersByNumber } from '../../../store/orders/orders.ts';
import { findByExternalRefs, findByRmaNumber } from '../../../store/returns/returns.ts';
import { readSummaries, readSummary } from '../../../store/returns/summaries.ts';
import { findOrders } from '../orders/find-orders.ts';
import { listItems } from './list-returns.ts';

type MatchedBy = Output<'findReturns'>['items'][number]['matchedBy'];
type Match = { readonly matchedBy: MatchedBy; readonly summary: Summary };
/** The returns of one kind of number, and whether there are more. */
type Found = { readonly matches: readonly Match[]; readonly more: boolean };

/** The maximum of an answer. It is that of the schema `FoundReturns`. */
const maxFound = 50;
/** The maximum length of the numbers of orders and parcels. Their keys have a maximum too. */
const maxNumber = 100;
/** The open returns whose SKUs a text is compared with, over all partitions: about 60 read units. */
const maxCompared = 1000;

const returnIdPattern = /^RET_[0-7][0-9A-HJKMNP-TV-Z]{25}$/;
const rmaPattern = /^[0-9A-HJKMNP-TV-Z]{11}$/;
/** An id of a platform, alone or after the name of the platform. */
const qualifiedPattern = /^([a-z][a-z0-9_-]{0,39}):([\x21-\x7e]{1,200})$/;
const idPattern = /^[\x21-\x7e]{1,200}$/;

const platforms = configured(platformsConfig);
const nothing: Found = { matches: [], more: false };

/** Returns the ids that a text may be at platforms: at the named one, or at each platform of the deployment. */
const platformIdsIn = (text: string): readonly { readonly platform: string; readonly id: string }[] => {
  const [, platform = '', id = ''] = qualifiedPattern.exec(text) ?? [];
  const everywhere = idPattern.test(text) ? platforms().enabled.map((name) => ({ platform: name, id: text })) : [];
  return id === '' ? everywhere : [{ platform, id }, ...everywhere];
};

const findOne = async (session: Session, matchedBy: MatchedBy, returnId: string | undefined): Promise<Found> => {
  const summary = returnId === undefined ? undefined : await readSummary(session, returnId);
  return summary === undefined ? nothing : { matches: [{ matchedBy, summary }], more: false };
};

const findInIndex = async (session: Session, matchedBy: MatchedBy, query: IndexQuery): Promise<Found> => {
  const { items, rest } = await readSummaries(session, query, {}, maxFound + 1);
  return { matches: items.map(({ summary }) => ({ matchedBy, summary })), more: rest };
};

const findByReturnId = async (session: Session, folded: string): Promise<Found> =>
  returnIdPattern.test(folded) ? findOne(session, 'return', folded.replace('RET_', 'ret_')) : nothing;

const findByRma = async (session: Session, folded: string): Promise<Found> =>
  rmaPattern.test(folded) ? findOne(session, 'rma', await findByRmaNumber(session, folded)) : nothing;

/** Returns the orders that a text may be the number or the id of. */
const readOrderRefs = async (session: Session, text: string) => {
  const numbered = text.length > maxNumber ? [] : await readOrdersByNumber(session, text, maxFound + 1);
  const named = platformIdsIn(text).map(({ platform, id }): OrderRef => ({ platform, orderId: id }));
  const refs = new Map([...numbered, ...named].map((order) => [`${order.platform} ${order.orderId}`, order]));
  return { refs: [...refs.values()], more: numbered.length > maxFound };
};

const findByTracking = async (session: Session, text: string): Promise<Found> =>
  text.length > maxNumber ? nothing : findInIndex(session, 'tracking', trackingIndexQuery(text));

const findByExternal = async (session: Session, text: string): Promise<Found> => {
  const found = await Promise.all(
    platformIdsIn(text).map(async (ref) => findOne(session, 'external', await findByExternalRefs(session, [ref]))),
  );
  return { matches: found.flatMap(({ matches }) => matches), more: false };
};

/** Finds open returns by a SKU. No index has SKUs, so it reads the newest summaries, up to a maximum. */
const findBySku = async (session: Session, folded: string): Promise<Found & { readonly compared: number }> => {
  const query = openIndexQuery();
  const share = Math.ceil(maxCompared / query.partitions.length);
  const { items, rest } = await readSummaries(session, query, {}, share);
  const matches = items
    .filter(({ summary }) => summary.skus.some((sku) => foldReference(sku) === folded))
    .map(({ summary }): Match => ({ matchedBy: 'sku', summary }));
  return { matches, more: rest, compared: items.length };
};

/** Returns the matches of all kinds, each return once, in the order of the kinds. */
const distinct = (found: readonly Found[]): readonly Match[] => {
  const seen = new Set<string>();
  return found
    .flatMap(({ matches }) => matches)
    .filter(({ summary: { id } }) => !seen.has(id) && seen.add(id).size > 0);
};

/** Finds returns and orders by the text that a person reads on a label, in a message or on a screen. */
export const findReturns = async (
  { reference, include }: Input<'findReturns'>,
  call: Call,
): Promise<Result<Reply<Output<'findReturns'>>>> =>
  withStore(call, async (session) => {
    // A key cannot hold half a character.
    const text = reference.toWellFormed().trim();
    const folded = foldReference(text);
    const { refs, more: moreNumbered } = await readOrderRefs(session, text);
    const [orders, ...byNumber] = await Promise.all([
      findOrders(session, refs, { include }),
      findByReturnId(session, folded),
      findByRma(session, folded),
      refs.length === 0 ? nothing : findInIndex(session, 'order', orderIndexQuery(...refs)),
      findByTracking(session, text),
      findByExternal(session, text),
    ]);
    const isKnown = orders.orders.length > 0 || byNumber.some(({ matches }) => matches.length > 0);
    const bySku = isKnown ? undefined : await findBySku(session, folded);
    const found = bySku === undefined ? byNumber : [bySku];
    const matches = distinct(found);
    const page = takeFitting(matches.slice(0, maxFound));
    const items = await listItems(
      session,
      page.map(({ summary }) => summary),
      include,
    );
    const isCut = orders.more || moreNumbered || matches.length > items.length;
    return ok({
      status: 200,
      body: {
        items: items.map((item, index) => ({ matchedBy: page[index]?.matchedBy ?? 'return', return: item })),
        orders: orders.orders,
        more: isCut || found.some(({ more }) => more),
        ...(bySku !== undefined && { compared: bySku.compared }),
      },
    });
  });
