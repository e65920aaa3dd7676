import type { Wanted, WantedReturn } from '../../effect.ts';
import { blocked } from '../../shared/effects/plan.ts';
import { isSameUnits, type RepeatedPlan, unitsByLine } from '../../shared/effects/repeated-plan.ts';
import { withExternalIds } from '../external-ids.ts';
import { isOurInfo, itemKeyOf, lineIdOf, linesOf, type OrderNode, type ReturnItemNode } from '../nodes.ts';

/*
 * The goods of a return. A return of ours is written when its units arrive, because an announced unit cannot become an
 * arrived one there. Each unit is an item with a key of ours: a state is that of a whole item.
 */

/** An update of an order or a payment. The API rejects it once the resource has another version. */
export type Update = {
  readonly path: string;
  readonly version: number;
  readonly actions: readonly { readonly action: string; readonly [field: string]: unknown }[];
  /** For a mark at the units of a refund: the id of its transaction, whose money has moved. */
  readonly paid?: string;
};

type Item = ReturnItemNode & { readonly orderLineId: string };

const arrived: ReadonlySet<string> = new Set(['Returned', 'BackInStock', 'Unusable']);

/** Returns the items of our return: those with its keys, or those of the return that began at the shop. */
const itemsOf = (order: OrderNode, own: WantedReturn): readonly Item[] => {
  const infos = order.returnInfo ?? [];
  const found =
    own.externalId === undefined
      ? infos.filter((info) => isOurInfo(info, own.returnId))
      : withExternalIds(order.id, infos).flatMap(({ externalId, info }) =>
          externalId === own.externalId ? [info] : [],
        );
  return found.flatMap(({ items }) => items.map((item) => ({ ...item, orderLineId: lineIdOf(item) ?? '' })));
};

const update = ({ id, version }: OrderNode, actions: Update['actions']): RepeatedPlan<Update> => ({
  kind: 'open',
  request: { path: `orders/${id}`, version, actions },
  // A second request for the same version is rejected.
  repeat: 'safe',
});

/** Returns the returns of other people for lines of ours, with their units. */
const foreignReturns = (order: OrderNode, lineIds: ReadonlySet<string>, others: Wanted['others']) =>
  withExternalIds(
    order.id,
    (order.returnInfo ?? []).filter((info) => !isOurInfo(info)),
  )
    .filter(({ externalId }) => others?.returns.includes(externalId) !== true)
    .map(({ externalId, info: { items } }) => ({
      externalId,
      units: items.map((item) => ({ orderLineId: lineIdOf(item) ?? '', quantity: item.quantity })),
      isHere: items.every(({ shipmentState }) => arrived.has(shipmentState)),
    }))
    .filter(({ units }) => units.some(({ orderLineId }) => lineIds.has(orderLineId)));

const isOrdered = (order: OrderNode, units: ReadonlyMap<string, number>): boolean => {
  const returned = unitsByLine(
    (order.returnInfo ?? [])
      .flatMap(({ items }) => items)
      .map((item) => ({ orderLineId: lineIdOf(item) ?? '', quantity: item.quantity })),
  );
  return [...units].every(([lineId, count]) => {
    const line = linesOf(order).find(({ id }) => id === lineId);
    return line !== undefined && (returned.get(lineId) ?? 0) + count <= line.quantity;
  });
};

/** Plans to write the units that have arrived. */
export const planReceipt = (order: OrderNode, wanted: Wanted, own: WantedReturn): RepeatedPlan<Update> => {
  const items = itemsOf(order, own);
  const here = unitsByLine(items.filter(({ shipmentState }) => arrived.has(shipmentState)));
  const received = own.lines.map(({ orderLineId, received: quantity }) => ({ orderLineId, quantity }));
  const missing = new Map(
    [...unitsByLine(received)]
      .map(([lineId, units]) => [lineId, units - (here.get(lineId) ?? 0)] as const)
      .filter(([, units]) => units > 0),
  );
  if (missing.size === 0) return { kind: 'done', isOurs: true };
  if (own.externalId !== undefined) return blocked('return_advised', { return: own.externalId });
  const foreign = foreignReturns(order, new Set(missing.keys()), wanted.others);
  const [equal] = foreign;
  if (equal !== undefined) {
    const isSame = foreign.length === 1 && wanted.others !== undefined && isSameUnits(equal.units, received);
    return isSame && equal.isHere && items.length === 0
      ? { kind: 'done', externalId: equal.externalId }
      : blocked('return_stands', { returns: foreign.map(({ externalId }) => externalId) });
  }
  if (!isOrdered(order, missing)) return blocked('units_not_returnable');
  const custom = new Set((order.customLineItems ?? []).map(({ id }) => id));
  const drafts = [...missing].flatMap(([lineId, units]) =>
    Array.from({ length: units }, () => (custom.has(lineId) ? { customLineItemId: lineId } : { lineItemId: lineId })),
  );
  return update(order, [
    {
      action: 'addReturnInfo',
      items: drafts.map((draft, index) => ({
        key: itemKeyOf(own.returnId, items.length + index + 1),
        quantity: 1,
        shipmentState: 'Returned',
        ...draft,
      })),
    },
  ]);
};

/** The states of an inspected unit at the shop. `refuse`: its money stays with the shop. */
type Finding = {
  readonly kind: 'restock' | 'discard' | 'refuse';
  readonly orderLineId: string;
  readonly quantity: number;
};

const kinds = ['restock', 'discard', 'refuse'] as const;

const wantedFindings = ({ lines }: WantedReturn): readonly Finding[] =>
  lines.flatMap(({ orderLineId, found }) =>
    found.map(({ outcome, disposition, quantity }): Finding => {
      const goods = disposition === 'restock' ? 'restock' : 'discard';
      return { kind: outcome === 'refuse' ? 'refuse' : goods, orderLineId, quantity };
    }),
  );

const findingOf = ({ shipmentState, paymentState, orderLineId, quantity }: Item): readonly Finding[] => {
  if (paymentState === 'NotRefunded') return [{ kind: 'refuse', orderLineId, quantity }];
  if (shipmentState === 'BackInStock') return [{ kind: 'restock', orderLineId, quantity }];
  return shipmentState === 'Unusable' ? [{ kind: 'discard', orderLineId, quantity }] : [];
};

const actionsFor = (kind: Finding['kind'], returnItemId: string): Update['actions'] => [
  {
    action: 'setReturnShipmentState',
    returnItemId,
    shipmentState: kind === 'restock' ? 'BackInStock' : 'Unusable',
  },
  ...(kind === 'refuse'
    ? [{ action: 'setReturnPaymentState', returnItemId, paymentState: 'NotRefunded' as const }]
    : []),
];

/** Plans to write the findings of an inspection. */
export const planFindings = (order: OrderNode, own: WantedReturn): RepeatedPlan<Update> => {
  const items = itemsOf(order, own);
  const found = items.flatMap(findingOf);
  const actions: Update['actions'][number][] = [];
  const used = new Set<string>();
  for (const kind of kinds) {
    const there = unitsByLine(found.filter((finding) => finding.kind === kind));
    for (const [lineId, units] of unitsByLine(wantedFindings(own).filter((finding) => finding.kind === kind))) {
      let left = units - (there.get(lineId) ?? 0);
      if (left < 0) return blocked('units_inspected', { line: lineId, kind });
      const open = items.filter(
        ({ id, orderLineId, shipmentState, paymentState }) =>
          orderLineId === lineId && shipmentState === 'Returned' && paymentState !== 'NotRefunded' && !used.has(id),
      );
      for (const { id, quantity } of open) {
        if (quantity > left) continue;
        left -= quantity;
        used.add(id);
        actions.push(...actionsFor(kind, id));
      }
      if (left > 0) return blocked(open.length === 0 ? 'units_not_received' : 'units_not_divisible', { line: lineId });
    }
  }
  return actions.length === 0 ? { kind: 'done', isOurs: true } : update(order, actions);
};

/**
 * Returns the actions that mark the units of a refund as refunded. They exist only where the refund is that of all
 * inspected units that are still open, so that a repeat marks no others.
 */
export const refundedMarks = (
  order: OrderNode,
  own: WantedReturn,
  lines: readonly { readonly orderLineId: string; readonly quantity: number }[],
): Update['actions'] => {
  const refunded = unitsByLine(lines);
  const open = itemsOf(order, own).filter(
    ({ orderLineId, shipmentState, paymentState }) =>
      refunded.has(orderLineId) &&
      shipmentState !== 'Returned' &&
      arrived.has(shipmentState) &&
      paymentState === 'Initial',
  );
  return isSameUnits(open, lines)
    ? open.map(({ id }) => ({ action: 'setReturnPaymentState', returnItemId: id, paymentState: 'Refunded' }))
    : [];
};
