import type { CreateReturn } from '../../returns/commands/request/decide-request.ts';
import type { Instant, Order, OrderLine } from '../../returns/model/order.ts';
import { amountsOfParts } from '../../returns/money/amounts.ts';
import { paidTotal } from '../../returns/money/sold-lines.ts';
import { kept, takenOfKept } from '../../returns/money/line-units.ts';
import { emptyLedger, type Ledger } from '../../returns/money/order-ledger.ts';
import { sumBigInts, sum } from '../../returns/units-by-line.ts';
import type { Facts, LineFacts, Right } from '../facts.ts';
import { latestInstant } from '../time/calendar.ts';
import { timeZoneOf } from '../time/time-zones.ts';

/** A request as a policy evaluates it. Texts of people count only by their presence. */
export type PolicyRequest = Pick<CreateReturn, 'basis' | 'channel' | 'initiatedBy' | 'isGift'> & {
  readonly lines: readonly (Pick<
    CreateReturn['lines'][number],
    'orderLineId' | 'quantity' | 'condition' | 'resolution'
  > & { readonly reason: { readonly code: string; readonly note?: unknown } })[];
  /** A score of another service. It is a fact of the customer. */
  readonly externalScore?: { readonly source: string; readonly value: number };
};

/** The other inputs of a decision, in addition to the order and the request. */
export type DecisionContext = {
  readonly requestedAt: Instant;
  /** By order line. */
  readonly rights: ReadonlyMap<string, readonly Right[]>;
  /** Returns the liable party for a reason. */
  readonly liablePartyOf: (reason: string) => LineFacts['fault'];
  readonly customer: Facts['customer'];
  readonly kept: Pick<Facts['order'], 'quantityKept' | 'valueKept'>;
};

const distinct = (values: readonly (string | undefined)[]): string[] =>
  [...new Set(values.filter((value) => value !== undefined))].toSorted();

/** Returns the fields without unknown ones. */
const definedFields = <Fields extends object>(
  fields: Fields,
): { [Name in keyof Fields]?: Exclude<Fields[Name], undefined> } =>
  Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined)) as {
    [Name in keyof Fields]?: Exclude<Fields[Name], undefined>;
  };

/** Returns when the last units of a line were delivered; undefined when no delivery is known. */
const deliveredAt = ({ deliveries = [] }: OrderLine): Instant | undefined =>
  latestInstant(deliveries.map(({ at }) => at));

const lineFacts = (
  wanted: PolicyRequest['lines'][number],
  line: OrderLine,
  value: number,
  { rights, liablePartyOf }: DecisionContext,
): LineFacts => {
  const { reason, condition, resolution = 'refund', quantity } = wanted;
  const { lineId, unitPrice, sku, productId, brand, categories, tags, finalSale, withdrawalExemption } = line;
  const { bundleId, shippedAt } = line;
  return {
    orderLineId: lineId,
    quantity,
    unitPrice: unitPrice.amount,
    value,
    ...definedFields({ sku, productId, brand, categories, tags, finalSale, withdrawalExemption, bundleId }),
    ...definedFields({ condition, shippedAt }),
    reason: reason.code,
    reasonGroup: reason.code.split('.')[0] ?? reason.code,
    resolution,
    hasNote: reason.note !== undefined,
    hasEvidence: false,
    ...definedFields({
      fault: liablePartyOf(reason.code),
      delivered: line.deliveries && line.deliveries.length > 0,
      deliveredAt: deliveredAt(line),
    }),
    rights: rights.get(lineId) ?? [],
  };
};

/**
 * Returns whether each set of a request comes back whole: the same share of each of its lines. Two of three shirts and
 * two of three ties are whole sets, and two shirts with one tie are not.
 */
const areBundlesWhole = ({ facts }: Order, wanted: PolicyRequest['lines']): boolean => {
  const units = ({ lineId }: OrderLine): number =>
    sum(wanted.flatMap(({ orderLineId, quantity }) => (orderLineId === lineId ? quantity : [])));
  const bundles = Map.groupBy(
    facts.lines.filter(({ quantity }) => quantity > 0),
    ({ bundleId }) => bundleId,
  );
  return [...bundles].every(([bundleId, [first, ...others]]) => {
    if (bundleId === undefined || first === undefined) return true;
    return others.every((line) => units(line) * first.quantity === units(first) * line.quantity);
  });
};

const orderFacts = (
  { platform, facts, origin = facts.origin }: Order,
  { kept }: Pick<DecisionContext, 'kept'>,
): Facts['order'] => {
  const { country = facts.destination?.country, channel, saleType, placedAt, isGift, buyerIsConsumer, lines } = facts;
  const deliveries = lines.map(deliveredAt);
  return {
    platform,
    ...definedFields({
      country,
      region: facts.destination?.region,
      channel,
      market: facts.market,
      seller: facts.seller,
    }),
    currency: facts.currency,
    ...definedFields({ saleType, placedAt, isGift, buyerIsConsumer }),
    isReplacement: origin !== undefined,
    ...(deliveries.includes(undefined)
      ? {}
      : definedFields({ lastDeliveredAt: latestInstant(deliveries.filter((at) => at !== undefined)) })),
    completeness: facts.completeness ?? 'full',
    timeZone: timeZoneOf(facts.timeZone, country ?? ''),
    value: Number(sumBigInts(lines.map(paidTotal))),
    ...definedFields({ quantityKept: kept.quantityKept, valueKept: kept.valueKept }),
  };
};

/**
 * Returns the facts of a request of units of an order. It is undefined when a line does not belong to the order, which
 * is rejected before.
 */
export const factsOf = (order: Order, request: PolicyRequest, surroundings: DecisionContext): Facts | undefined => {
  const byId = new Map(order.facts.lines.map((line) => [line.lineId, line]));
  const pairs = request.lines.flatMap((wanted) => {
    const line = byId.get(wanted.orderLineId);
    return line === undefined ? [] : [{ wanted, line }];
  });
  if (pairs.length < request.lines.length) return undefined;
  const worth = amountsOfParts(
    pairs.map(({ wanted, line }) => ({ line, units: wanted.quantity })),
    emptyLedger,
  );
  const lines = pairs.map(({ wanted, line }, index) =>
    lineFacts(wanted, line, worth[index]?.gross.amount ?? 0, surroundings),
  );
  const { basis, channel, initiatedBy = 'agent', isGift = order.facts.isGift ?? false } = request;
  return {
    requestedAt: surroundings.requestedAt,
    order: orderFacts(order, surroundings),
    customer: surroundings.customer,
    return: {
      ...definedFields({ basis, channel }),
      initiatedBy,
      isGift,
      quantity: sum(lines.map(({ quantity }) => quantity)),
      value: sum(lines.map(({ value }) => value)),
      reasons: distinct(lines.map(({ reason }) => reason)),
      skus: distinct(lines.map(({ sku }) => sku)),
      ...(lines.some(({ categories }) => categories === undefined)
        ? {}
        : { categories: distinct(lines.flatMap(({ categories = [] }) => categories)) }),
      bundlesWhole: areBundlesWhole(order, request.lines),
    },
    lines,
  };
};

/** What the customer keeps of an order. */
export type KeptFacts = Pick<Facts['order'], 'quantityKept' | 'valueKept'>;

/**
 * Returns what the customer keeps of an order after a request: the sold units, less those of withdrawals before their
 * shipment, of other returns, of refunds without a return, and of this request.
 *
 * @param ledger without the units of the request itself
 */
export const keptFacts = (order: Order, ledger: Ledger, wanted: PolicyRequest['lines']): KeptFacts => {
  const parts = order.facts.lines.map((line) => {
    const requested = sum(wanted.flatMap(({ orderLineId, quantity }) => (orderLineId === line.lineId ? quantity : [])));
    return { line, units: Math.max(0, kept(ledger, line) - takenOfKept(ledger, line) - requested) };
  });
  return {
    quantityKept: sum(parts.map(({ units }) => units)),
    valueKept: sum(amountsOfParts(parts, emptyLedger).map(({ gross }) => gross.amount)),
  };
};
