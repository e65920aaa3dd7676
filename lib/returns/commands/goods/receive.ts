import { ok, type Result, fail } from '../../failure.ts';
import { held, lost, outstanding } from '../../goods/quantities.ts';
import type { Event } from '../../history/entry.ts';
import type { ReceivedLine } from '../../history/goods-events.ts';
import type { Parcel, UnexpectedItem } from '../../model/goods.ts';
import type { Line } from '../../model/return.ts';
import { orderLineOf } from '../../money/amounts.ts';
import { returnable } from '../../money/ledger.ts';
import type { Situation } from '../../situation.ts';
import { type RequestedUnits, unitsByLine } from '../../units-by-line.ts';
import { checkTransition } from '../check-transition.ts';
import { toOutcome, type Outcome } from '../outcome.ts';
import { findParcel } from './parcels.ts';

/** What units that came are: those of the return, and those that it does not take. */
type SplitReceipt = { readonly received: readonly ReceivedLine[]; readonly surplus: readonly UnexpectedItem[] };

/** Units of a line for which something was given without them: they are the return's own, whatever others have taken. */
const unitsPaidInAdvance = (line: Line, { parcels }: Situation['state']): number =>
  Math.max(0, line.quantities.refunded + line.quantities.exchanged - held(line, parcels));

/**
 * Parts units that came into those that the return still takes and the rest. A unit that was given up is late: it is
 * taken again while the order has as many left; lines of the return that are of one line of the order share these.
 *
 * @param units units by line id
 * @param ids ids for the rest of each line
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
    const free = shared.get(orderLineId) ?? returnable(ledger, orderLineOf(order, line));
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
 * What came, its free text already sealed: a parcel, units of lines, and what belongs to none. A parcel alone came as it
 * was packed.
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
 * Decides on a receipt. What is outstanding is received, and so is what was given up as long as no other return has
 * taken it; all else is unexpected, whatever the status, because it is there and nobody sends it away by a refusal.
 *
 * @param surplusIds ids for what a line has too many of, as many as the return has lines
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
