import type { Blocker, Guard } from './blocker.ts';
import { completionGuards } from './completion-guards.ts';
import { mostEvidence } from './evidence.ts';
import { goodsGuards } from './goods-guards.ts';
import { moneyGuards, noExchange, noOrderedExchange } from './money-guards.ts';
import { hasLeft } from './parcels.ts';
import { liveRefunds } from './refund.ts';
import type { Return } from './return.ts';
import { admits, type Command } from './states.ts';

const mostMessages = 100;
const mostNotes = 100;

const noLiveRefund =
  (done: string): Guard =>
  (state) =>
    liveRefunds(state).length > 0
      ? { code: 'live_refund', detail: `A return with a refund cannot ${done}.` }
      : undefined;

const roomForMessage: Guard = ({ messages }) =>
  messages.length >= mostMessages
    ? { code: 'too_many_messages', detail: `A return has at most ${mostMessages} messages.` }
    : undefined;

const roomForNote: Guard = ({ notes }) =>
  notes.length >= mostNotes
    ? { code: 'too_many_notes', detail: `A return has at most ${mostNotes} notes.` }
    : undefined;

const roomForEvidence: Guard = ({ evidence }) =>
  evidence.length >= mostEvidence
    ? { code: 'too_much_evidence', detail: `A return takes ${mostEvidence} attachments.` }
    : undefined;

const noParcelMoved: Guard = ({ parcels }) =>
  parcels.some((parcel) => parcel.direction === 'inbound' && hasLeft(parcel))
    ? { code: 'parcel_moved', detail: 'A return with goods that have left the customer cannot expire.' }
    : undefined;

/** What a command wants of a return beyond its status, as far as the return alone can tell. */
const guards: Readonly<Partial<Record<Command, readonly Guard[]>>> = {
  requestInfo: [roomForMessage],
  provideInfo: [roomForMessage],
  complete: completionGuards,
  ...goodsGuards,
  ...moneyGuards,
  cancel: [noLiveRefund('be cancelled'), noOrderedExchange],
  expire: [noParcelMoved, noLiveRefund('expire'), noExchange],
  addNote: [roomForNote],
  addAttachment: [roomForEvidence],
};

/**
 * Why a return does not take a command as it is now; undefined when it does.
 *
 * @param waived what the command itself takes out of the way
 */
export const blockerOf = (state: Return, command: Command, waived?: Blocker['code']): Blocker | undefined => {
  if (!admits(state.status, command))
    return { code: 'invalid_transition', detail: `A return that is ${state.status} does not take ${command}.` };
  for (const guard of guards[command] ?? []) {
    const blocker = guard(state);
    if (blocker !== undefined && blocker.code !== waived) return blocker;
  }
  return undefined;
};
