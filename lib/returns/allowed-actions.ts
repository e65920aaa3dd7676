import { blockerOf, type Blocker } from './guards.ts';
import type { Return } from './return.ts';
import { commands, scopeOf, type Command } from './states.ts';

export type AllowedAction = {
  readonly action: Command;
  readonly scope: 'returns:write' | 'returns:admin';
  readonly allowed: boolean;
  /** What stands in the way now. */
  readonly blockedBy?: Blocker['code'];
};

/** Every command on a return as it is: whether it may be done now, and if not, what blocks it. */
export const allowedActions = (state: Return): readonly AllowedAction[] =>
  commands.map((action) => {
    const base = { action, scope: scopeOf(action, state.status) };
    const blocker = blockerOf(state, action);
    return blocker === undefined ? { ...base, allowed: true } : { ...base, allowed: false, blockedBy: blocker.code };
  });
