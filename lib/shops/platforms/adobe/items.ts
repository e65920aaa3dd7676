import { fail, ok, type Result } from '../../../runtime/result.ts';
import type { JsonObject } from '../../../runtime/json.ts';
import { sum } from '../../../runtime/sum.ts';
import { type ShopFailure, permanentFailure } from '../platform.ts';
import { idOf, objectsOf } from '../shared/fields/fields.ts';
import { readEach, type PartialRead } from '../shared/http/read-each.ts';
import type { InspectionFinding, RemoteUnits } from '../shared/sync/remote-return.ts';
import { unitsOf } from './amounts.ts';

/** The state of one item of a return, in units. */
export type Item = {
  readonly row: JsonObject;
  readonly orderLineId: string;
  readonly state: string;
  /** Whether the shop has authorised it: by its state, or by a quantity if the state is unknown. */
  readonly allowed: boolean;
  readonly requested: number;
  /** Units that are still part of the return. */
  readonly remaining: number;
  readonly received: number;
  readonly accepted: number;
  readonly refused: number;
};

/** The states after the final inspection of the goods. */
const inspectedStates: ReadonlySet<string> = new Set(['approved', 'rejected']);
const arrivedStates: ReadonlySet<string> = new Set(['received', ...inspectedStates]);
const undecidedStates: ReadonlySet<string> = new Set(['pending', 'denied']);

type Quantities = {
  readonly requested?: number | undefined;
  readonly authorized?: number | undefined;
  readonly returned?: number | undefined;
  readonly approved?: number | undefined;
};

/**
 * Returns the units of an item by its state and quantities.
 * A missing quantity equals that of the previous step. An approved item accepts the approved part of its returned
 * units. The rest is refused, because no inspection follows.
 */
const unitsInState = (state: string, { requested, authorized, returned, approved }: Quantities) => {
  const requestedUnits = requested ?? authorized ?? 0;
  const maximum = state === 'pending' ? requestedUnits : (authorized ?? requestedUnits);
  // Approved units have arrived, also if the shop did not enter them as returned.
  const came = Math.max(returned ?? (arrivedStates.has(state) ? (approved ?? maximum) : 0), approved ?? 0);
  const remaining = state === 'denied' ? 0 : Math.min(requestedUnits, Math.max(maximum, came));
  const received = Math.min(remaining, came);
  const good = state === 'rejected' ? 0 : (approved ?? (state === 'approved' ? received : 0));
  const accepted = Math.min(received, good);
  const refused = inspectedStates.has(state) ? received - accepted : 0;
  const isKnown = state === 'authorized' || arrivedStates.has(state);
  const allowed = !undecidedStates.has(state) && (isKnown || authorized !== undefined || received > 0);
  return { allowed, requested: requestedUnits, remaining, received, accepted, refused };
};

const fields = ['qty_requested', 'qty_authorized', 'qty_returned', 'qty_approved'] as const;

const stateOf = (status: unknown): string => (typeof status === 'string' ? status.trim().toLowerCase() : '');

/** Reads an item. Without a state of its own it has the state of its return. */
const itemOf = (row: JsonObject, rma: JsonObject): Item | undefined => {
  const orderLineId = idOf(row['order_item_id']);
  const isReadable = fields.every(
    (field) => (row[field] ?? undefined) === undefined || unitsOf(row[field]) !== undefined,
  );
  if (orderLineId === undefined || !isReadable) return undefined;
  const [requested, authorized, returned, approved] = fields.map((field) => unitsOf(row[field]));
  const state = stateOf(row['status']) || stateOf(rma['status']);
  const item = { row, orderLineId, state, ...unitsInState(state, { requested, authorized, returned, approved }) };
  return item.requested > 0 ? item : undefined;
};

/** Reads the items of a return. Fractional units and items without an order line are unread and do not block others. */
export const itemsOf = (rma: JsonObject): Result<PartialRead<Item>, ShopFailure> => {
  const rows = objectsOf(rma['items']);
  const items = readEach(rows, (row) => {
    const item = itemOf(row, rma);
    return item === undefined ? permanentFailure('return_line_unreadable') : ok(item);
  });
  if (!items.ok) return items;
  const { read, unread } = items.value;
  if (read.length === 0) return unread === undefined ? permanentFailure('return_without_lines') : fail(unread);
  return read.length > 200 ? permanentFailure('return_too_large') : items;
};

/**
 * Returns the goods by line of the order, because an item may have been split.
 * Commerce does not report their disposition, so all inspected units are in quarantine.
 */
export const goodsOf = (items: readonly Item[]): readonly RemoteUnits[] =>
  Array.from(
    Map.groupBy(items, ({ orderLineId }) => orderLineId),
    ([orderLineId, group]): RemoteUnits => {
      const found: readonly InspectionFinding[] = [
        { outcome: 'accept', disposition: 'quarantine', quantity: sum(group.map(({ accepted }) => accepted)) },
        { outcome: 'refuse', disposition: 'quarantine', quantity: sum(group.map(({ refused }) => refused)) },
      ];
      return {
        orderLineId,
        received: sum(group.map(({ received }) => received)),
        missing: 0,
        found: found.filter(({ quantity }) => quantity > 0),
      };
    },
  ).filter(({ received }) => received > 0);
