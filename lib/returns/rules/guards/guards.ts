import { rules, type Blocker, type Guard } from '../blocker.ts';
import { completionGuards } from './completion-guards.ts';
import { goodsGuards, somethingOpen } from './goods-guards.ts';
import { moneyGuards, noExchange, noOrderedExchange } from './money-guards.ts';
import { sentByCustomer } from '../../goods/parcels.ts';
import { liveRefunds } from '../../money/refund.ts';
import type { Return } from '../../model/return.ts';
import { room } from '../room.ts';
import { admits, type Command } from '../states.ts';

const noLiveRefund =
  (done: string): Guard =>
  (state) =>
    liveRefunds(state).length > 0
      ? { code: 'live_refund', detail: `A return with a refund cannot ${done}.` }
      : undefined;

const noParcelMoved: Guard = ({ parcels }) =>
  sentByCustomer(parcels).length > 0
    ? { code: 'parcel_moved', detail: 'A return with goods that have left the customer cannot expire.' }
    : undefined;

/** What a command wants of a return beyond its status, as far as the return alone can tell. */
const guards: Readonly<Partial<Record<Command, readonly Guard[]>>> = {
  requestInfo: [room('messages')],
  provideInfo: [room('messages')],
  complete: completionGuards,
  ...goodsGuards,
  ...moneyGuards,
  cancel: [somethingOpen, noLiveRefund('be cancelled'), noOrderedExchange],
  expire: [somethingOpen, noParcelMoved, noLiveRefund('expire'), noExchange],
  addNote: [room('notes')],
  addAttachment: [room('evidence')],
};

const blockersOf = (state: Return, wanted: readonly Guard[] = []): readonly Blocker[] =>
  wanted.flatMap((guard) => guard(state) ?? []);

/** The rules of the service that a command goes against. */
export const rulesAgainst = (state: Return, command: Command): readonly Blocker[] =>
  blockersOf(state, guards[command]).filter(({ code }) => rules.has(code));

/**
 * Why a return does not take a command as it is now; undefined when it does.
 *
 * @param isWaived whether the command itself takes something out of the way
 */
export const blockerOf = (
  state: Return,
  command: Command,
  isWaived: (blocker: Blocker) => boolean = () => false,
): Blocker | undefined => {
  if (!admits(state.status, command))
    return { code: 'invalid_transition', detail: `A return that is ${state.status} does not take ${command}.` };
  return blockersOf(state, guards[command]).find((blocker) => !isWaived(blocker));
};

/** What a command takes out of the way where it says why. */
const isWaivable: Readonly<Partial<Record<Command, (blocker: Blocker) => boolean>>> = {
  complete: ({ code }) => code === 'unsettled',
};

/** Why no request of a command is taken now, whatever it overrides. */
export const lastingBlockerOf = (state: Return, command: Command): Blocker | undefined =>
  blockerOf(state, command, isWaivable[command]);
