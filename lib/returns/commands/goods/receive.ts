import { admitted } from '../admitted.ts';
import { arrival } from './arrival.ts';
import { conclude, type Outcome } from '../conclude.ts';
import type { Event } from '../../history/entry.ts';
import { decided, refused, type Decision } from '../../failure.ts';
import type { Parcel, Unexpected } from '../../model/goods.ts';
import { parcelOf } from './parcel-of.ts';
import type { Situation } from '../../situation.ts';
import { unitsByLine, type NamedUnits } from '../../units-by-line.ts';

/**
 * What came, its free text already sealed: a parcel, units of lines, and what belongs to none. A parcel alone came as it
 * was packed.
 */
export type Receive = {
  readonly parcelId?: string;
  readonly lines?: NamedUnits;
  readonly unexpected?: readonly Omit<Unexpected, 'parcelId' | 'disposition'>[];
};

const mostUnexpected = 500;

const arrivedParcel = ({ state }: Situation, parcelId: string | undefined): Decision<Parcel | undefined> => {
  if (parcelId === undefined) return decided(undefined);
  const parcel = parcelOf(state, parcelId);
  if (!parcel.ok || (parcel.value.direction === 'inbound' && parcel.value.status !== 'cancelled')) return parcel;
  const message = 'must be an inbound parcel that was not cancelled';
  const errors = [{ path: '/parcelId', code: 'unknown', message }];
  return refused({ code: 'invalid_request', detail: 'No such parcel can arrive.', errors });
};

/** A parcel that is received has arrived, whatever its carrier said. */
const delivery = (parcel: Parcel | undefined, now: string): Event[] =>
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
): Decision<Outcome> => {
  const admission = admitted(situation, 'receive');
  if (!admission.ok) return admission;
  const { state, now } = situation;
  const parcel = arrivedParcel(situation, parcelId);
  if (!parcel.ok) return parcel;
  const from = parcelId === undefined ? {} : { parcelId };
  const named = lines ?? (unexpected.length === 0 ? parcel.value?.contents : undefined) ?? [];
  const units = unitsByLine(named, new Map(state.lines.map(({ id }) => [id, Infinity])));
  if (!units.ok) return units;
  const { received, surplus } = arrival(situation, units.value, surplusIds);
  const items = [...unexpected, ...surplus].map((item): Unexpected => ({ ...item, ...from }));
  if (state.unexpected.length + items.length > mostUnexpected) {
    const message = `must come to at most ${mostUnexpected} unexpected items of the return`;
    const errors = [{ path: '/unexpected', code: 'max_items', message }];
    return refused({ code: 'invalid_request', detail: 'The return would have too many unexpected items.', errors });
  }
  const [first, ...others]: Event[] = [
    ...delivery(parcel.value, now),
    ...(received.length === 0 ? [] : [{ type: 'items.received' as const, data: { ...from, lines: received } }]),
    ...(items.length === 0 ? [] : [{ type: 'items.unexpected' as const, data: { items } }]),
  ];
  if (first === undefined) {
    const errors = [
      { path: '/lines', code: 'required', message: 'must name what came: a parcel, lines or unexpected items' },
    ];
    return refused({ code: 'invalid_request', detail: 'A receipt of nothing.', errors });
  }
  return conclude(situation, [first, ...others]);
};
