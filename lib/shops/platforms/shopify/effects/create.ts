import { ok, type Result } from '../../../../runtime/result.ts';
import { sum } from '../../../../runtime/sum.ts';
import type { Wanted, WantedReturn } from '../../effect.ts';
import { permanentFailure, type ShopFailure } from '../../platform.ts';
import type { Shop } from '../../shared/http/api.ts';
import { blocked } from '../../shared/effects/plan.ts';
import { isOurNote, isSameUnits, noteOf, type RepeatedPlan } from '../../shared/effects/repeated-plan.ts';
import { callApi } from '../api.ts';
import { type Connection, page } from '../queries.ts';
import { reasonWords } from '../return.ts';
import { digitsOf, gidOf } from '../words.ts';
import type { Mutation } from './mutate.ts';

/*
 * A return of ours that the shop does not have is created there when it is approved. Shopify keeps no key of ours, so the
 * note of the reasons has it.
 */
type Units = { readonly orderLineId: string; readonly quantity: number };

/** A return of the order at the shop. */
export type ExistingReturn = {
  readonly gid: string;
  readonly status: string;
  readonly notes: readonly string[];
  readonly lines: readonly Units[];
};

/** The units of a fulfillment that can still be returned. */
type ReturnableUnits = Units & { readonly fulfillmentLineGid: string };

export type OrderReturns = {
  readonly existing: readonly ExistingReturn[];
  readonly returnable: readonly ReturnableUnits[];
  /** The ids of Shopify's reasons, by their handles. */
  readonly reasons: ReadonlyMap<string, string>;
};

const existingQuery = `query ReturnsOfOrder($id: ID!) {
  order(id: $id) {
    returns(first: 10) {
      nodes {
        id status
        returnLineItems(first: 20) {
          nodes { quantity returnReasonNote ... on ReturnLineItem { fulfillmentLineItem { lineItem { id } } } }
          ${page}
        }
      }
      ${page}
    }
  }
}`;

const returnableQuery = `query ReturnableUnits($id: ID!, $handles: [String!]!) {
  returnReasonDefinitions(first: 50, handles: $handles) { nodes { id handle } }
  returnableFulfillments(orderId: $id, first: 10) {
    nodes { returnableFulfillmentLineItems(first: 20) { nodes { quantity fulfillmentLineItem { id lineItem { id } } } ${page} } }
    ${page}
  }
}`;

type ExistingData = {
  readonly order: {
    readonly returns: Connection<{
      readonly id: string;
      readonly status: string;
      readonly returnLineItems: Connection<{
        readonly quantity: number;
        readonly returnReasonNote: string;
        readonly fulfillmentLineItem?: { readonly lineItem: { readonly id: string } };
      }>;
    }>;
  } | null;
};

type ReturnableData = {
  readonly returnReasonDefinitions: { readonly nodes: readonly { readonly id: string; readonly handle: string }[] };
  readonly returnableFulfillments: Connection<{
    readonly returnableFulfillmentLineItems: Connection<{
      readonly quantity: number;
      readonly fulfillmentLineItem: { readonly id: string; readonly lineItem: { readonly id: string } };
    }>;
  }>;
};

/** Reads the returns of an order. */
export const fetchExisting = async (
  shop: Shop,
  orderId: string,
): Promise<Result<readonly ExistingReturn[], ShopFailure>> => {
  const answer = await callApi<ExistingData>(shop, existingQuery, { id: gidOf('Order', orderId) });
  if (!answer.ok) return answer;
  const returns = answer.value.data.order?.returns;
  if (returns === undefined)
    return permanentFailure(answer.value.denied.length > 0 ? 'shop_denied_access' : 'shop_order_not_found');
  if ([returns, ...returns.nodes.map((node) => node.returnLineItems)].some(({ pageInfo }) => pageInfo.hasNextPage))
    return permanentFailure('order_too_large');
  return ok(
    returns.nodes.map(({ id: gid, status, returnLineItems: { nodes } }) => ({
      gid,
      status,
      notes: nodes.map(({ returnReasonNote }) => returnReasonNote),
      lines: nodes.map(({ quantity, fulfillmentLineItem }) => ({
        orderLineId: digitsOf(fulfillmentLineItem?.lineItem.id ?? ''),
        quantity,
      })),
    })),
  );
};

/** Reads what a new return of an order needs. */
export const fetchOrderReturns = async (
  shop: Shop,
  orderId: string,
  { lines }: WantedReturn,
): Promise<Result<OrderReturns, ShopFailure>> => {
  const existing = await fetchExisting(shop, orderId);
  if (!existing.ok) return existing;
  const handles = [...new Set([...lines.map(({ reason }) => reason), 'other'].flatMap(reasonWords))].slice(0, 50);
  const answer = await callApi<ReturnableData>(shop, returnableQuery, { id: gidOf('Order', orderId), handles });
  if (!answer.ok) return answer;
  const { returnableFulfillments: fulfillments, returnReasonDefinitions: reasons } = answer.value.data;
  const lists = fulfillments.nodes.map((node) => node.returnableFulfillmentLineItems);
  if ([fulfillments, ...lists].some(({ pageInfo }) => pageInfo.hasNextPage)) return permanentFailure('order_too_large');
  return ok({
    existing: existing.value,
    returnable: lists
      .flatMap(({ nodes }) => nodes)
      .map(({ quantity, fulfillmentLineItem: { id, lineItem } }) => ({
        quantity,
        fulfillmentLineGid: id,
        orderLineId: digitsOf(lineItem.id),
      })),
    reasons: new Map(reasons.nodes.map(({ id, handle }) => [handle, id])),
  });
};

const active: ReadonlySet<string> = new Set(['REQUESTED', 'OPEN']);

/** The returns of people, or of the customer, for lines of ours. Returns with a note of ours are others of ours. */
export const foreignReturns = (
  existing: readonly ExistingReturn[],
  lines: readonly Units[],
  others: Wanted['others'],
): readonly ExistingReturn[] => {
  const ids = new Set(lines.map(({ orderLineId }) => orderLineId));
  return existing.filter(
    ({ gid, status, notes, lines: theirs }) =>
      active.has(status) &&
      others?.returns.includes(gid) !== true &&
      !notes.some(isOurNote) &&
      theirs.some(({ orderLineId }) => ids.has(orderLineId)),
  );
};

/** Takes units of a line from the fulfillments that still have some. `isLast`: it takes all of one of them. */
const take = (returnable: readonly ReturnableUnits[], orderLineId: string, quantity: number) => {
  let left = quantity;
  let isLast = false;
  const taken = returnable
    .filter((units) => units.orderLineId === orderLineId)
    .flatMap((units) => {
      const count = Math.min(left, units.quantity);
      left -= count;
      isLast ||= count > 0 && count === units.quantity;
      return count === 0 ? [] : [{ fulfillmentLineGid: units.fulfillmentLineGid, quantity: count }];
    });
  return { taken, isLast, isShort: left > 0 };
};

const reasonOf = (code: string, reasons: OrderReturns['reasons']): string | undefined =>
  [...reasonWords(code), ...reasonWords('other')].flatMap((word) => reasons.get(word) ?? [])[0];

/** Returns the plan for a return that the shop has; undefined for one that it does not have. */
const planOfExisting = (existing: OrderReturns['existing'], wanted: Wanted, lines: readonly Units[]) => {
  const ours = existing.find(({ notes }) => notes.includes(noteOf(wanted.key)));
  if (ours !== undefined)
    return { kind: 'done', externalId: ours.gid, isOurs: true, seen: { status: ours.status } } as const;
  const foreign = foreignReturns(existing, lines, wanted.others);
  const [equal] = foreign;
  if (equal === undefined) return undefined;
  const isSame = foreign.length === 1 && wanted.others !== undefined && isSameUnits(lines, equal.lines);
  return isSame
    ? ({ kind: 'done', externalId: equal.gid, seen: { status: equal.status } } as const)
    : blocked('return_stands', { returns: foreign.map(({ gid }) => gid) });
};

/** Plans the creation of our return at the shop. */
export const planCreation = (
  { existing, returnable, reasons }: OrderReturns,
  wanted: Wanted,
  own: WantedReturn,
): RepeatedPlan<Mutation> => {
  const lines = own.lines.filter(({ quantity }) => quantity > 0);
  const found = planOfExisting(existing, wanted, lines);
  if (found !== undefined) return found;
  const parts = Array.from(
    Map.groupBy(lines, ({ orderLineId }) => orderLineId),
    ([orderLineId, same]) => ({
      reason: reasonOf(same[0]?.reason ?? 'other', reasons),
      ...take(returnable, orderLineId, sum(same.map(({ quantity }) => quantity))),
    }),
  );
  if (parts.length === 0 || parts.some(({ isShort }) => isShort)) return blocked('units_not_returnable');
  if (parts.some(({ reason }) => reason === undefined)) return blocked('reason_unknown');
  const returnLineItems = parts.flatMap(({ reason, taken }) =>
    taken.map(({ fulfillmentLineGid, quantity }) => ({
      fulfillmentLineItemId: fulfillmentLineGid,
      quantity,
      returnReasonDefinitionId: reason ?? '',
      returnReasonNote: noteOf(wanted.key),
    })),
  );
  return {
    kind: 'open',
    request: {
      name: 'returnCreate',
      variables: { input: { orderId: gidOf('Order', wanted.orderId), requestedAt: own.requestedAt, returnLineItems } },
    },
    // Without units that are left, Shopify rejects a second return.
    repeat: parts.some(({ isLast }) => isLast) ? 'later' : 'unsafe',
  };
};
