import type { Result } from '../failure.ts';
import { fail, ok } from '../../../runtime/result.ts';
import { expectedParcels, expectedUnits } from '../goods/parcels.ts';
import { outstanding } from '../goods/quantities.ts';
import { changedLines, type LineAmounts } from '../history/lines.ts';
import { isSame } from '../history/canonical-json.ts';
import type { Event, EventOf } from '../history/entry.ts';
import { applyEvent } from '../history/fold.ts';
import type { Parcel } from '../model/goods.ts';
import type { Observation } from '../model/order.ts';
import type { Line, Return, UnversionedReturn } from '../model/return.ts';
import { updateLedger } from '../money/return-entries.ts';
import type { Ledger } from '../money/order-ledger.ts';
import { overdrawnErrors } from '../money/line-units.ts';
import { amountLeftFor } from '../money/paid-limit.ts';
import { type StatedPaymentsLeft, statedPaymentsLeft } from '../money/payments.ts';
import { bookPromotion } from '../money/promotions.ts';
import { revalue } from '../money/revalue.ts';
import { recordFloorDiscrepancies } from '../rules/discrepancies.ts';
import { floorFailuresOfTransition, returnableUnits } from '../rules/floor.ts';
import type { Situation } from '../situation.ts';

/** Counts the units of a line that may be in transit. Missing units count, because they may arrive late. */
const possiblyInTransit = ({ quantities }: Line): number => outstanding(quantities) + quantities.missing;

/**
 * Returns the contents of a parcel without received or cancelled units.
 * `left` holds the remaining units of each line.
 */
const contentsWithout = ({ contents }: Parcel, left: Map<string, number>): Parcel['contents'] =>
  contents
    .map(({ lineId, quantity }) => {
      const taken = Math.min(left.get(lineId) ?? 0, quantity);
      left.set(lineId, (left.get(lineId) ?? 0) - taken);
      return { lineId, quantity: quantity - taken };
    })
    .filter(({ quantity }) => quantity > 0);

/**
 * Returns the updates of inbound parcels after a receipt or a cancellation.
 * Units that can no longer arrive are removed, from the oldest parcel first.
 */
const updateParcels = ({ lines, parcels }: UnversionedReturn): readonly EventOf<'parcel.updated'>[] => {
  const left = new Map(
    lines.map((line) => [line.id, Math.max(0, expectedUnits(line.id, parcels) - possiblyInTransit(line))] as const),
  );
  if ([...left.values()].every((units) => units === 0)) return [];
  return expectedParcels(parcels).flatMap((parcel) => {
    const contents = contentsWithout(parcel, left);
    const isSame = contents.every(({ quantity }, index) => quantity === parcel.contents[index]?.quantity);
    return isSame && contents.length === parcel.contents.length
      ? []
      : [{ type: 'parcel.updated' as const, data: { parcelId: parcel.id, changes: { contents } } }];
  });
};

export type NonEmptyEvents = readonly [Event, ...Event[]];

/** The outcome of a command: its events, and the ledger of the order after it. */
export type Outcome = { readonly events: NonEmptyEvents; readonly ledger: Ledger };

/**
 * Returns the new amounts of the lines whose worth has changed.
 *
 * @param stale lines whose stored amounts are older than those of the state
 */
const changedLineAmounts = (
  state: UnversionedReturn,
  { order, stale }: Pick<Situation, 'order' | 'stale'>,
  ledger: Ledger,
): readonly LineAmounts[] =>
  revalue(state, order, ledger)
    .filter(({ line, amounts }) => stale?.has(line.id) === true || !isSame(line.amounts, amounts))
    .map(({ line, amounts }) => ({ lineId: line.id, amounts }));

/** What an order and its ledger change in a return. */
type FollowsFromOrder = {
  readonly amounts: readonly LineAmounts[];
  readonly paymentsLeft: StatedPaymentsLeft | undefined;
  readonly promotion: number | undefined;
};

/** Completes the events: the first one gets the observation, the last one the amounts that follow from the order. */
const completeEvents = (
  events: NonEmptyEvents,
  observed: Observation | undefined,
  { amounts, paymentsLeft: left, promotion }: FollowsFromOrder,
): NonEmptyEvents => {
  const last = events.length - 1;
  const completed = events.map((event, index) => ({
    ...event,
    data: {
      ...event.data,
      ...(index === 0 && observed !== undefined ? { observed } : {}),
      ...(index === last && amounts.length > 0 ? { amounts } : {}),
      ...(index === last && left !== undefined ? { paymentsLeft: left } : {}),
      ...(index === last && promotion !== undefined ? { promotion } : {}),
    },
  }));
  // The list keeps the number and the types of the events.
  return completed as unknown as NonEmptyEvents;
};

/**
 * Completes a command: derives its outcome from its events. It removes received units from expected parcels and updates
 * the ledger. It fails when the return would hold more units than the order has. It also fails when the return would
 * fall below the statutory floor, except for an override or a platform fact. A new return is exempt from the floor
 * check here: its terms and its policy apply the floor.
 */
export const toOutcome = (
  situation: Omit<Situation, 'admin' | 'state'> & { readonly state: Return | undefined },
  [first, ...others]: NonEmptyEvents,
): Result<Outcome> => {
  const { state, order, ledger, now, observed } = situation;
  const follow = (from: UnversionedReturn, events: readonly Event[]) =>
    events.reduce((current, event) => applyEvent(current, { ...event, at: now }), from);
  const done = follow(applyEvent(state, { ...first, at: now }), others);
  const unpackedParcels = updateParcels(done);
  const changed = follow(done, unpackedParcels);
  const moved = updateLedger(ledger, state, changed);
  const errors = overdrawnErrors(order, ledger, moved, returnableUnits(changed));
  if (errors.length > 0)
    return fail({
      code: 'quantity_exceeds_returnable',
      detail: 'The units exceed what can still be returned.',
      errors,
    });
  const against =
    state === undefined
      ? []
      : floorFailuresOfTransition(state, changed, amountLeftFor({ state: changed, order, ledger: moved }));
  const law = recordFloorDiscrepancies(situation, against);
  if (!law.ok) return law;
  const derived = [...unpackedParcels, ...law.value];
  const next = follow(changed, law.value);
  const amounts = changedLineAmounts(next, situation, moved);
  const lines = changedLines(next, amounts, (line, changedLine) => ({ ...line, amounts: changedLine.amounts }));
  const booked = bookPromotion(order, { state, ledger }, { state: { ...next, lines }, ledger: moved });
  return ok({
    events: completeEvents([first, ...others, ...derived], observed, {
      amounts,
      paymentsLeft: statedPaymentsLeft(order, moved),
      promotion: booked.promotion,
    }),
    ledger: isSame(booked.ledger, ledger) ? ledger : booked.ledger,
  });
};
