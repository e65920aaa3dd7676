import { liveRefunds } from './refund.ts';
import type { Return } from './return.ts';
import { admits, type Command } from './states.ts';

/** What stands in the way of a command, as a code for machines and in words. */
export type Blocker = { readonly code: 'invalid_transition' | 'live_refund'; readonly detail: string };

type Guard = (state: Return) => Blocker | undefined;

const noLiveRefund: Guard = (state) =>
  liveRefunds(state).length > 0
    ? { code: 'live_refund', detail: 'A return with a refund cannot be cancelled.' }
    : undefined;

/** What a command wants of a return beyond its status, as far as the return alone can tell. */
const guards: Readonly<Partial<Record<Command, readonly Guard[]>>> = {
  cancel: [noLiveRefund],
};

/** Why a return does not take a command as it is now; undefined when it does. */
export const blockerOf = (state: Return, command: Command): Blocker | undefined => {
  if (!admits(state.status, command))
    return { code: 'invalid_transition', detail: `A return that is ${state.status} does not take ${command}.` };
  for (const guard of guards[command] ?? []) {
    const blocker = guard(state);
    if (blocker !== undefined) return blocker;
  }
  return undefined;
};
