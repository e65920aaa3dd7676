import type { Blocker } from './blocker.ts';
import { obstacleOf } from './guards.ts';
import type { Instant } from '../order.ts';
import type { Return } from '../return.ts';
import { scopeToTell } from './scope.ts';
import { commands, type Command, type Scope } from './states.ts';

export type AllowedAction = {
  readonly action: Command;
  readonly scope: Scope;
  readonly allowed: boolean;
  /** What stands in the way now. */
  readonly blockedBy?: Blocker['code'];
};

/**
 * Every command on a return as it is: whether it may be done now, and if not, what blocks it. A fact may be recorded even
 * where a rule of the service blocks the command.
 */
export const allowedActions = (state: Return, now: Instant): readonly AllowedAction[] =>
  commands.map((action) => {
    const base = { action, scope: scopeToTell(state, action, now) };
    const blocker = obstacleOf(state, action);
    return blocker === undefined ? { ...base, allowed: true } : { ...base, allowed: false, blockedBy: blocker.code };
  });
