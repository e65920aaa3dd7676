import { isSame } from '../history/canonical-json.ts';
import { leftOfOrder } from '../money/amounts.ts';
import { moveLedger } from '../money/contribution.ts';
import type { LineAmounts } from '../history/appliers.ts';
import type { Event } from '../history/entry.ts';
import { concededByLaw } from '../rules/fact.ts';
import type { Observation } from '../model/fact.ts';
import { takenBelowFloor } from '../rules/floor.ts';
import { decided, refused, type Decision } from '../failure.ts';
import { after } from '../history/fold.ts';
import type { Ledger } from '../money/ledger.ts';
import { overdrawn } from '../money/overdrawn.ts';
import type { Order } from '../model/order.ts';
import type { Return, Unversioned } from '../model/return.ts';
import { revalue } from '../money/revalue.ts';
import type { Situation } from '../situation.ts';
import { unpacked } from '../goods/unpacked.ts';

export type Events = readonly [Event, ...Event[]];

/** What a command comes to: what happened, and the order's ledger after it. */
export type Outcome = { readonly events: Events; readonly ledger: Ledger };

/** The lines whose worth has changed, as it is now. */
const revalued = (state: Unversioned, order: Order, ledger: Ledger): readonly LineAmounts[] =>
  revalue(state, order, ledger)
    .filter(({ line, amounts }) => !isSame(line.amounts, amounts))
    .map(({ line, amounts }) => ({ lineId: line.id, amounts }));

/** The events, with what is told beside the first and the last of them. */
const completed = (events: Events, observed: Observation | undefined, amounts: readonly LineAmounts[]): Events => {
  const last = events.length - 1;
  const told = events.map((event, index) => ({
    ...event,
    data: {
      ...event.data,
      ...(index === 0 && observed !== undefined ? { observed } : {}),
      ...(index === last && amounts.length > 0 ? { amounts } : {}),
    },
  }));
  // As many events as before, of the same types.
  return told as unknown as Events;
};

/**
 * Concludes a command from what is to happen: takes units that are here out of parcels that are to come, moves the
 * order's ledger, refuses what would hold more units of the order than there are or goes below what a law gives, adds to
 * the first event where a platform told of it, and to the last what the return's lines are worth then. A new return is
 * not held to the law here: its terms and its policy are.
 */
export const conclude = (
  situation: Omit<Situation, 'admin' | 'state'> & { readonly state: Return | undefined },
  [first, ...others]: Events,
): Decision<Outcome> => {
  const { state, order, ledger, now, observed } = situation;
  const follow = (from: Unversioned, events: readonly Event[]) =>
    events.reduce((current, event) => after(current, { ...event, at: now }), from);
  const done = follow(after(state, { ...first, at: now }), others);
  const unpackedParcels = unpacked(done);
  const followed = follow(done, unpackedParcels);
  const moved = moveLedger(ledger, state, followed);
  const errors = overdrawn(order, ledger, moved);
  if (errors.length > 0)
    return refused({ code: 'quantity_exceeds_returnable', detail: 'More units than may still be returned.', errors });
  const against = state === undefined ? [] : takenBelowFloor(state, followed, leftOfOrder(order, moved));
  const law = concededByLaw(situation, against);
  if (!law.ok) return law;
  const beside = [...unpackedParcels, ...law.value];
  const next = follow(followed, law.value);
  return decided({
    events: completed([first, ...others, ...beside], observed, revalued(next, order, moved)),
    ledger: isSame(moved, ledger) ? ledger : moved,
  });
};
