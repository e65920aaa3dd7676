import { fail, ok, type Result } from '../../contract/result.ts';
import type { JsonObject } from '../../runtime/json.ts';
import { sum } from '../../runtime/sum.ts';
import type { ShopFailure } from '../platform.ts';
import { idOf, objectsOf } from '../shared/fields/fields.ts';
import { readEach, type PartialRead } from '../shared/http/read-each.ts';
import { permanentFailure } from '../shared/http/shop-failure.ts';
import type { InspectionFinding, RemoteUnits } from '../shared/sync/remote-return.ts';
import { unitsOf } from './amounts.ts';

/** What one item of a return has come to, in units. */
export type Item = {
  readonly row: JsonObject;
  readonly orderLineId: string;
  readonly state: string;
  /** Whether somebody has let it come back: by its state, or by a quantity where that is a word we do not know. */
  readonly allowed: boolean;
  readonly asked: number;
  /** Still a part of the return. */
  readonly kept: number;
  readonly received: number;
  readonly accepted: number;
  readonly refused: number;
};

/** The states in which somebody has looked at the goods for good. */
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
 * What an item's state and its quantities come to. A quantity that nobody has entered is that of the step before. Of what
 * was returned, an approved item takes what was approved; the rest will not be looked at again, and is refused.
 */
const unitsInState = (state: string, { requested, authorized, returned, approved }: Quantities) => {
  const asked = requested ?? authorized ?? 0;
  const maximum = state === 'pending' ? asked : (authorized ?? asked);
  // What was approved has come, also where nobody has entered that it was returned.
  const came = Math.max(returned ?? (arrivedStates.has(state) ? (approved ?? maximum) : 0), approved ?? 0);
  const kept = state === 'denied' ? 0 : Math.min(asked, Math.max(maximum, came));
  const received = Math.min(kept, came);
  const good = state === 'rejected' ? 0 : (approved ?? (state === 'approved' ? received : 0));
  const accepted = Math.min(received, good);
  const refused = inspectedStates.has(state) ? received - accepted : 0;
  const isKnown = state === 'authorized' || arrivedStates.has(state);
  const allowed = !undecidedStates.has(state) && (isKnown || authorized !== undefined || received > 0);
  return { allowed, asked, kept, received, accepted, refused };
};

const fields = ['qty_requested', 'qty_authorized', 'qty_returned', 'qty_approved'] as const;

const stateOf = (status: unknown): string => (typeof status === 'string' ? status.trim().toLowerCase() : '');

/** An item without a state of its own is in that of its return. */
const itemOf = (row: JsonObject, rma: JsonObject): Item | undefined => {
  const orderLineId = idOf(row['order_item_id']);
  const isReadable = fields.every(
    (field) => (row[field] ?? undefined) === undefined || unitsOf(row[field]) !== undefined,
  );
  if (orderLineId === undefined || !isReadable) return undefined;
  const [requested, authorized, returned, approved] = fields.map((field) => unitsOf(row[field]));
  const state = stateOf(row['status']) || stateOf(rma['status']);
  const item = { row, orderLineId, state, ...unitsInState(state, { requested, authorized, returned, approved }) };
  return item.asked > 0 ? item : undefined;
};

/** The items of a return. Parts of a unit, and items of no line of the order, are unread and hold up no other. */
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
 * What became of the goods, by line of the order: an item may have been split. Where they were put Commerce does not tell,
 * so all that somebody has looked at waits for a place.
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
