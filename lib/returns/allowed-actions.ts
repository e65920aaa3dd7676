import { commandsIn, scopeOf, type Command, type Status } from './states.ts';

export type AllowedAction = {
  readonly action: Command;
  readonly scope: 'returns:write' | 'returns:admin';
  readonly allowed: boolean;
  /** The code that a caller would meet now. */
  readonly blockedBy?: 'invalid_transition';
};

/** Every command on a return in this status: whether it may be done now, and if not, what blocks it. */
export const allowedActions = (status: Status): readonly AllowedAction[] =>
  (Object.keys(scopeOf) as Command[]).map((action) => {
    const base = { action, scope: scopeOf[action] };
    return commandsIn[status].includes(action)
      ? { ...base, allowed: true }
      : { ...base, allowed: false, blockedBy: 'invalid_transition' };
  });
