import type { Result } from '../../failure.ts';
import { fail, ok } from '../../../../runtime/result.ts';
import { held, lost, outstanding } from '../../goods/quantities.ts';
import type { Event } from '../../history/entry.ts';
import type { ReceivedLine } from '../../history/goods-events.ts';
import type { Parcel, UnexpectedItem } from '../../model/goods.ts';
import type { Line } from '../../model/return.ts';
import { orderLineOf } from '../../money/amounts.ts';
import { returnable } from '../../money/line-units.ts';
import { returnableUnits } from '../../rules/floor.ts';
import type { Situation } from '../../situation.ts';
import { type RequestedUnits, unitsByLine } from '../../units-by-line.ts';
import { checkTransition } from '../check-transition.ts';
import { toOutcome, type Outcome } from '../outcome.ts';
import { findParcel } from './parcels.ts';

/** Received units, split into those that the return takes and surplus ones. */
type SplitReceipt = { readonly received: readonly ReceivedLine[]; readonly surplus: readonly UnexpectedItem[] };

/**
 * Counts the units of a line that were paid for before they arrived.
 * They belong to the return, whatever other returns have taken.
 */
const unitsPaidInAdvance = (line: Line, { parcels }: Situation['state']): number =>
  Math.max(0, line.quantities.refunded + line.quantities.exchanged - held(line, parcels));

/**
 * Splits received units into those that the return still takes and the surplus.
 * A unit that was marked missing is late: the return takes it while the order has such units left. Lines of the return
 * that share an order line share these units.
 *
 * @param units units by line id
 * @param ids ids for the surplus of each line
 */
const splitReceipt = (
  { state, order, ledger }: Situation,
  units: ReadonlyMap<string, number>,
  ids: readonly string[],
): SplitReceipt => {
  const isOver = state.status === 'rejected' || state.status === 'cancelled';
  const received: ReceivedLine[] = [];
  const surplus: UnexpectedItem[] = [];
  const shared = new Map<string, number>();
  for (const line of state.lines) {
    const came = units.get(line.id) ?? 0;
    const { orderLineId } = line;
    const free = shared.get(orderLineId) ?? returnable(ledger, orderLineOf(order, line), returnableUnits(state));
    const due = isOver ? 0 : Math.min(came, outstanding(line.quantities));
    const own = unitsPaidInAdvance(line, state);
    const late = isOver ? 0 : Math.min(came - due, lost(line), own + free);
    shared.set(orderLineId, free - Math.max(0, late - own));
    const quantity = due + late;
    if (quantity > 0) {
      const accepted = state.terms.inspection === 'skipped' ? quantity : 0;
      received.push({ lineId: line.id, quantity, late, accepted });
    }
    if (came > quantity) {
      const id = ids[surplus.length];
      if (id === undefined) throw new Error('fewer ids than lines');
      surplus.push({ id, ...(line.sku === undefined ? {} : { sku: line.sku }), quantity: came - quantity });
    }
  }
  return { received, surplus };
};

/**
 * A receipt: a parcel, units of lines, and unexpected items. Its free text is a personal-text reference. A parcel
 * without lines is received as it was packed.
 */
export type Receive = {
  readonly parcelId?: string;
  readonly lines?: RequestedUnits;
  readonly unexpected?: readonly Omit<UnexpectedItem, 'parcelId' | 'disposition'>[];
};

const maxUnexpected = 500;

const findArrivedParcel = ({ state }: Situation, parcelId: string | undefined): Result<Parcel | undefined> => {
  if (parcelId === undefined) return ok(undefined);
  const parcel = findParcel(state, parcelId);
  if (!parcel.ok || (parcel.value.direction === 'inbound' && parcel.value.status !== 'cancelled')) return parcel;
  const message = 'must be an inbound parcel that is not cancelled';
  const errors = [{ path: '/parcelId', code: 'unknown', message }];
  return fail({ code: 'invalid_request', detail: 'This parcel cannot be received.', errors });
};

/** Marks a received parcel as delivered, whatever its carrier reported. */
const deliveryEvents = (parcel: Parcel | undefined, now: string): Event[] =>
  parcel === undefined || parcel.status === 'delivered'
    ? []
    : [
        {
          type: 'parcel.updated',
          data: { parcelId: parcel.id, changes: {}, moved: { status: 'delivered', at: now } },
        },
      ];

/**
 * Decides on a receipt. The return receives outstanding units, and missing ones that no other return has taken. All
 * other units are unexpected items. A receipt is allowed in any status, because a failed command does not send goods
 * away.
 *
 * @param surplusIds ids for the surplus of each received line, as many as the receipt or the return has lines
 */
export const receive = (
  situation: Situation,
  { parcelId, lines, unexpected = [] }: Receive,
  surplusIds: readonly string[],
): Result<Outcome> => {
  const admission = checkTransition(situation, 'receive');
  if (!admission.ok) return admission;
  const { state, now } = situation;
  const parcel = findArrivedParcel(situation, parcelId);
  if (!parcel.ok) return parcel;
  const from = parcelId === undefined ? {} : { parcelId };
  const named = lines ?? (unexpected.length === 0 ? parcel.value?.contents : undefined) ?? [];
  const units = unitsByLine(named, new Map(state.lines.map(({ id }) => [id, Infinity])));
  if (!units.ok) return units;
  const { received, surplus } = splitReceipt(situation, units.value, surplusIds);
  const items = [...unexpected, ...surplus].map((item): UnexpectedItem => ({ ...item, ...from }));
  if (state.unexpected.length + items.length > maxUnexpected) {
    const message = `must leave the return with at most ${maxUnexpected} unexpected items`;
    const errors = [{ path: '/unexpected', code: 'max_items', message }];
    return fail({ code: 'invalid_request', detail: 'The return would have too many unexpected items.', errors });
  }
  const [first, ...others]: Event[] = [
    ...deliveryEvents(parcel.value, now),
    ...(received.length === 0 ? [] : [{ type: 'items.received' as const, data: { ...from, lines: received } }]),
    ...(items.length === 0 ? [] : [{ type: 'items.unexpected' as const, data: { items } }]),
  ];
  if (first === undefined) {
    const errors = [
      { path: '/lines', code: 'required', message: 'must name received units, or send a parcel or unexpected items' },
    ];
    return fail({ code: 'invalid_request', detail: 'The receipt contains no units.', errors });
  }
  return toOutcome(situation, [first, ...others]);
};
