import { liveRefunds } from './refund.ts';
import type { Return } from './return.ts';
import { commands, commandsIn, scopeOf, type Command } from './states.ts';

export type AllowedAction = {
  readonly action: Command;
  readonly scope: 'returns:write' | 'returns:admin';
  readonly allowed: boolean;
  /** The code that a caller would meet now. */
  readonly blockedBy?: 'invalid_transition';
};

/** Why a return does not take a command as it is now, in words; undefined when it does. */
export const obstacle = (state: Return, command: Command): string | undefined => {
  if (!commandsIn[state.status].includes(command)) return `A return that is ${state.status} does not take ${command}.`;
  if (command === 'cancel' && liveRefunds(state).length > 0) return 'A return with a refund cannot be cancelled.';
  return undefined;
};

/** Every command on a return as it is: whether it may be done now, and if not, what blocks it. */
export const allowedActions = (state: Return): readonly AllowedAction[] =>
  commands.map((action) => {
    const base = { action, scope: scopeOf(action, state.status) };
    return obstacle(state, action) === undefined
      ? { ...base, allowed: true }
      : { ...base, allowed: false, blockedBy: 'invalid_transition' };
  });
