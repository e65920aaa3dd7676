import type { Input, Output } from '../../../contract/contract.ts';
import type { Call, Reply } from '../../../contract/port.ts';
import type { Result } from '../../../contract/result.ts';
import { ok } from '../../../runtime/result.ts';
import { withStore } from '../../execution/execute.ts';
import type { OrderRef } from '../../../domain/returns/model/order.ts';
import type { Summary } from '../../../domain/returns/summary.ts';
import { platformsConfig } from '../../../runtime/configuration/config.ts';
import { configured } from '../../../runtime/container.ts';
import { type IndexQuery, orderIndexQuery, trackingIndexQuery } from '../../../store/engine/indexes.ts';
import { takeFitting } from '../../../store/engine/pack.ts';
import type { Session } from '../../../store/engine/session.ts';
import { readOrdersByNumber } from '../../../store/orders/orders.ts';
import { findByExternalRefs, findByRmaNumber } from '../../../store/returns/returns.ts';
import { readSummaries, readSummary } from '../../../store/returns/summaries.ts';
import { listItem } from './list-returns.ts';

type Item = Output<'findReturns'>['items'][number];
type Match = { readonly matchedBy: Item['matchedBy']; readonly summary: Summary };
/** The returns of one kind of number, and whether there are more. */
type Found = { readonly matches: readonly Match[]; readonly more: boolean };

/** The maximum of an answer. It is that of the schema `FoundReturns`. */
const maxFound = 50;
/** The maximum length of the numbers of orders and parcels. Their keys have a maximum too. */
const maxNumber = 100;

const returnIdPattern = /^ret_[0-7][0-9A-HJKMNP-TV-Z]{25}$/;
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

const findOne = async (
  session: Session,
  matchedBy: Match['matchedBy'],
  returnId: string | undefined,
): Promise<Found> => {
  const summary = returnId === undefined ? undefined : await readSummary(session, returnId);
  return summary === undefined ? nothing : { matches: [{ matchedBy, summary }], more: false };
};

const findInIndex = async (session: Session, matchedBy: Match['matchedBy'], query: IndexQuery): Promise<Found> => {
  const { items, rest } = await readSummaries(session, query, {}, maxFound + 1);
  return { matches: items.map(({ summary }) => ({ matchedBy, summary })), more: rest };
};

const findByReturnId = async (session: Session, text: string): Promise<Found> =>
  returnIdPattern.test(text) ? findOne(session, 'return', text) : nothing;

const findByRma = async (session: Session, text: string): Promise<Found> => {
  const number = text.toUpperCase();
  return rmaPattern.test(number) ? findOne(session, 'rma', await findByRmaNumber(session, number)) : nothing;
};

const findByOrder = async (session: Session, text: string): Promise<Found> => {
  const numbered = text.length > maxNumber ? [] : await readOrdersByNumber(session, text, maxFound + 1);
  const named = platformIdsIn(text).map(({ platform, id }): OrderRef => ({ platform, orderId: id }));
  const orders = new Map([...numbered, ...named].map((order) => [`${order.platform} ${order.orderId}`, order]));
  if (orders.size === 0) return nothing;
  const found = await findInIndex(session, 'order', orderIndexQuery(...orders.values()));
  return { ...found, more: found.more || numbered.length > maxFound };
};

const findByTracking = async (session: Session, text: string): Promise<Found> =>
  text.length > maxNumber ? nothing : findInIndex(session, 'tracking', trackingIndexQuery(text));

const findByExternal = async (session: Session, text: string): Promise<Found> => {
  const found = await Promise.all(
    platformIdsIn(text).map(async (ref) => findOne(session, 'external', await findByExternalRefs(session, [ref]))),
  );
  return { matches: found.flatMap(({ matches }) => matches), more: false };
};

/** All kinds of numbers, in the order in which a return is reported once. */
const finders = [findByReturnId, findByRma, findByOrder, findByTracking, findByExternal];

/** Finds returns by the text that a person reads on a label, in a message or on a screen. */
export const findReturns = async (
  { reference }: Input<'findReturns'>,
  call: Call,
): Promise<Result<Reply<Output<'findReturns'>>>> =>
  withStore(call, async (session) => {
    // A key cannot hold half a character.
    const text = reference.toWellFormed().trim();
    const found = await Promise.all(finders.map(async (find) => find(session, text)));
    const seen = new Set<string>();
    const matches = found
      .flatMap((result) => result.matches)
      .filter(({ summary: { id } }) => !seen.has(id) && seen.add(id).size > 0);
    const items = takeFitting(
      matches.slice(0, maxFound).map(({ matchedBy, summary }): Item => ({ matchedBy, return: listItem(summary) })),
    );
    const more = found.some((result) => result.more) || matches.length > items.length;
    return ok({ status: 200, body: { items: [...items], more } });
  });
