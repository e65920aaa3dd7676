import { admitted } from '../admitted.ts';
import { conclude, type Outcome } from '../conclude.ts';
import { addDays } from '../../rules/days.ts';
import { openRefundDueBy, refundDueSoonDays } from '../../rules/deadlines.ts';
import { decided, type Decision } from '../../failure.ts';
import type { Event } from '../../history/entry.ts';
import type { Situation } from '../../situation.ts';

/** What is to be told of a refund by now, once for each date that it was due by. */
const reminder = ({ state, now }: Situation): Event | undefined => {
  const refundDueBy = openRefundDueBy(state);
  if (refundDueBy === undefined) return undefined;
  const { dueSoon, overdue } = state.refundReminders ?? {};
  if (refundDueBy < now) return overdue === refundDueBy ? undefined : { type: 'refund.overdue', data: { refundDueBy } };
  const isSoon = addDays(refundDueBy, -refundDueSoonDays) <= now && dueSoon !== refundDueBy;
  return isSoon ? { type: 'refund.due_soon', data: { refundDueBy } } : undefined;
};

/** Decides to tell that a refund is due soon, or is overdue; nothing where that is not so yet, or was told. */
export const remindRefund = (situation: Situation): Decision<Outcome | undefined> => {
  const admission = admitted(situation, 'remindRefund');
  if (!admission.ok) return admission;
  const event = reminder(situation);
  return event === undefined ? decided(undefined) : conclude(situation, [event]);
};
