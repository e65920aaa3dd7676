import type { Entry, EventOf } from '../returns/history/entry.ts';
import type { Parcel } from '../returns/model/goods.ts';
import type { Refund } from '../returns/model/refund.ts';
import type { Return } from '../returns/model/return.ts';
import { type EffectAction, effectActions } from './actions.ts';

/** What one command wants at the shop. */
export type PlannedEffect = {
  readonly action: EffectAction;
  readonly refundId?: string;
  readonly parcelId?: string;
};

/** A shop pays only by the means by which the customer paid. Other refunds are paid elsewhere. */
const isPaidByShop = ({ method, status }: Refund): boolean => method === 'original_payment' && status === 'pending';

const isFromCustomer = ({ direction, trackingNumber, status }: Parcel): boolean =>
  direction === 'inbound' && trackingNumber !== undefined && status !== 'cancelled';

const parcelEffect = (state: Return, { data }: EventOf<'parcel.added'>): PlannedEffect | undefined => {
  const { id } = data.parcel;
  return state.parcels.some((parcel) => parcel.id === id && isFromCustomer(parcel))
    ? { action: 'ship', parcelId: id }
    : undefined;
};

const refundEffect = (state: Return, { data }: EventOf<'refund.requested'>): PlannedEffect | undefined => {
  const { id } = data.refund;
  return state.refunds.some((refund) => refund.id === id && isPaidByShop(refund))
    ? { action: 'refund', refundId: id }
    : undefined;
};

/** Events that always want the same. */
const actionByEvent: Readonly<Partial<Record<Entry['type'], EffectAction>>> = {
  'return.approved': 'approve',
  'return.rejected': 'reject',
  'return.completed': 'close',
  'items.received': 'receive',
  'inspection.recorded': 'inspect',
};

const effectOf = (state: Return, entry: Entry): PlannedEffect | undefined => {
  if (entry.type === 'parcel.added') return parcelEffect(state, entry);
  if (entry.type === 'refund.requested') return refundEffect(state, entry);
  // A return without some of its units goes on.
  if (entry.type === 'return.cancelled' || entry.type === 'return.expired')
    return state.status === 'cancelled' || state.status === 'expired' ? { action: 'cancel' } : undefined;
  const action = actionByEvent[entry.type];
  return action && { action };
};

/**
 * Returns what the entries of one command want at the shop of the order, in the order in which the shop is asked.
 * A command that repeats what a platform did wants nothing: that is what ends a loop of two systems.
 *
 * @param state the return after the entries
 */
export const plannedEffects = (state: Return, entries: readonly Entry[]): readonly PlannedEffect[] => {
  const effects = entries.flatMap((entry) => (entry.data.observed === undefined ? (effectOf(state, entry) ?? []) : []));
  const distinct = new Map(
    effects.map((effect) => [`${effect.action} ${effect.refundId ?? effect.parcelId ?? ''}`, effect]),
  );
  return [...distinct.values()].toSorted(
    (first, second) => effectActions.indexOf(first.action) - effectActions.indexOf(second.action),
  );
};
