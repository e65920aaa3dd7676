import type { Instant } from '../returns/model/order.ts';
import { effectActions } from './actions.ts';
import { heldReason, type Intent, isOpen } from './intent.ts';

/*
 * The order in which a shop is asked. One intent of an order at a time, the oldest first and money last. One whose request
 * has no known answer is before all others, also before a parked one: the inbox waits for it. An intent that
 * is parked, or not due, holds those behind it: a receipt may not reach a shop before the approval.
 */

/** Returns the open intents of an order in their turn, without those that only compare. */
export const inTurn = (intents: readonly Intent[]): readonly Intent[] => {
  const asking = intents.filter((intent) => isOpen(intent) && intent.status !== 'shadow');
  return asking.toSorted(
    (first, second) =>
      Number(second.status === 'sent') - Number(first.status === 'sent') ||
      Number(first.action === 'refund') - Number(second.action === 'refund') ||
      Date.parse(first.plannedAt) - Date.parse(second.plannedAt) ||
      (first.returnVersion ?? 0) - (second.returnVersion ?? 0) ||
      effectActions.indexOf(first.action) - effectActions.indexOf(second.action),
  );
};

const isDue = ({ dueAt }: Intent, now: Instant): boolean => dueAt !== undefined && dueAt <= now;

/** Whether the first in turn is to run. One that was held waits for nothing once it is the first. */
const isNext = (first: Intent, now: Instant): boolean =>
  isDue(first, now) || (first.status !== 'parked' && first.reason === heldReason);

/** Returns the intent that a worker runs next; undefined when none of the order is due. */
export const nextIntent = (intents: readonly Intent[], now: Instant): Intent | undefined => {
  const [first] = inTurn(intents);
  return first !== undefined && isNext(first, now)
    ? first
    : intents.find((intent) => intent.status === 'shadow' && isDue(intent, now));
};

/** Returns the intent that holds another one; undefined for the first in turn, and for those that only compare. */
export const heldBy = (intents: readonly Intent[], { id }: Pick<Intent, 'id'>): Intent | undefined => {
  const turn = inTurn(intents);
  return turn.some((intent) => intent.id === id) && turn[0]?.id !== id ? turn[0] : undefined;
};

/**
 * Whether a later intent asks for the goods of the same return again. It wants all that this one does, and its units are
 * at the shop by then: a receipt that stands between them may come first.
 */
export const isAskedAgain = (intents: readonly Intent[], { id, action, returnId }: Intent): boolean =>
  (action === 'receive' || action === 'inspect') &&
  inTurn(intents)
    .slice(1)
    .some((intent) => intent.id !== id && intent.action === action && intent.returnId === returnId);

/** Returns the intent that waits for the end of this one, and comes next; undefined if none waits. */
export const heldNext = (intents: readonly Intent[], { id }: Pick<Intent, 'id'>): Intent | undefined => {
  const [first] = inTurn(intents.filter((intent) => intent.id !== id));
  return first?.status === 'planned' && first.reason === heldReason ? first : undefined;
};
