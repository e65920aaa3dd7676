import type { JsonObject } from '../../../runtime/json.ts';
import { sum } from '../../../runtime/sum.ts';
import type { WantedReturn } from '../effect.ts';
import { blocked, type Plan } from '../shared/effects/plan.ts';
import { isSameUnits, unitsByLine } from '../shared/effects/repeated-plan.ts';
import type { Item } from './items.ts';
import { isEnded } from './return.ts';

/*
 * The decisions on an RMA that the shop has. Each is the whole RMA with other statuses, because Commerce replaces it.
 * Staff decides item by item, and Commerce stores the status of the RMA as it is sent.
 */

/** An RMA of the shop, with its items. */
export type RmaState = { readonly rma: JsonObject; readonly items: readonly Item[] };

/** The RMA as it was read, and as it is wanted. */
export type RmaChange = { readonly before: JsonObject; readonly after: JsonObject };

export type DecisionPlan = Plan<RmaChange>;

const seenOf = ({ rma, items }: RmaState): JsonObject => ({
  status: rma['status'],
  items: items.map(({ orderLineId, state, requested, remaining }) => ({ orderLineId, state, requested, remaining })),
});

const done = (state: RmaState): DecisionPlan => ({
  kind: 'done',
  externalId: String(state.rma['entity_id']),
  seen: seenOf(state),
});

/**
 * Returns the plan that writes an RMA with other items and another status. Comments and tracks are only added by such a
 * request, so none are sent.
 */
const write = (state: RmaState, status: string, rows: readonly JsonObject[]): DecisionPlan => ({
  kind: 'open',
  request: { before: state.rma, after: { ...state.rma, status, items: rows, comments: [], tracks: [] } },
  seen: seenOf(state),
});

const withStatus = ({ row }: Item, status: string, fields: JsonObject = {}): JsonObject => ({
  ...row,
  status,
  ...fields,
});

/** Returns the units to authorise of each item of an order line; undefined if only people can divide them. */
const divide = (items: readonly Item[], wanted: number): readonly number[] | undefined => {
  const requested = items.map((item) => item.requested);
  if (wanted === sum(requested)) return requested;
  if (wanted === 0) return requested.map(() => 0);
  const [only, ...others] = requested;
  return only !== undefined && others.length === 0 && wanted < only ? [wanted] : undefined;
};

/** Returns the items with the units that we approved; undefined if they do not fit. An item without units is denied. */
const authorised = ({ items }: RmaState, { lines }: WantedReturn): readonly JsonObject[] | undefined => {
  const wanted = unitsByLine(lines);
  const byLine = Map.groupBy(items, ({ orderLineId }) => orderLineId);
  if ([...wanted].some(([id, quantity]) => quantity > 0 && !byLine.has(id))) return undefined;
  const rows = new Map<Item, JsonObject>();
  for (const [id, group] of byLine) {
    const units = divide(group, wanted.get(id) ?? 0);
    if (units === undefined) return undefined;
    for (const [index, item] of group.entries()) {
      const quantity = units[index] ?? 0;
      const fields = quantity > 0 ? { qty_authorized: quantity } : {};
      rows.set(item, withStatus(item, quantity > 0 ? 'authorized' : 'denied', fields));
    }
  }
  return items.map((item) => rows.get(item) ?? item.row);
};

/** Plans the approval of an RMA, whole or in part. One that staff has decided must have the units that we approved. */
export const planApproval = (state: RmaState, own: WantedReturn): DecisionPlan => {
  const { rma, items } = state;
  const isDecided = items.every(({ allowed, state: word }) => allowed || word === 'denied');
  const units = items.map(({ orderLineId, remaining }) => ({ orderLineId, quantity: remaining }));
  if (isDecided && isSameUnits(own.lines, units)) return done(state);
  if (isDecided || isEnded(rma['status']) || items.some(({ state: word }) => word !== 'pending'))
    return blocked('return_state_differs', seenOf(state));
  const rows = authorised(state, own);
  if (rows === undefined) return blocked('units_differ', seenOf(state));
  const isWhole = rows.every(({ status }) => status === 'authorized');
  return write(state, isWhole ? 'authorized' : 'partially_authorized', rows);
};

/** Plans the rejection of an RMA before any decision. Commerce closes an RMA whose items are all denied. */
export const planRejection = (state: RmaState): DecisionPlan => {
  const { rma, items } = state;
  if (items.every(({ state: word }) => word === 'denied')) return done(state);
  if (isEnded(rma['status']) || items.some(({ allowed }) => allowed))
    return blocked('return_state_differs', seenOf(state));
  return write(
    state,
    'closed',
    items.map((item) => withStatus(item, 'denied')),
  );
};

/** Plans the end of an RMA whose goods have not arrived. Commerce has no other word for a cancelled one than closed. */
export const planCancellation = (state: RmaState): DecisionPlan => {
  const { rma, items } = state;
  if (items.some(({ received }) => received > 0)) return blocked('return_processed', seenOf(state));
  if (isEnded(rma['status'])) return done(state);
  return write(
    state,
    'closed',
    items.map(({ row }) => row),
  );
};
