import { allowedActions, obstacle } from './allowed-actions.ts';
import { decided, refused, type Decision } from './failure.ts';
import type { Return } from './return.ts';
import { scopeOf, type Command } from './states.ts';

/**
 * Whether a return takes a command as it is now; otherwise the refusal says what may be done instead.
 *
 * @param admin whether the caller may do what only an admin may
 */
export const admitted = (state: Return, command: Command, admin = false): Decision<null> => {
  const detail = obstacle(state, command);
  if (detail !== undefined)
    return refused({ code: 'invalid_transition', detail, allowedActions: allowedActions(state) });
  if (scopeOf(command, state.status) === 'returns:admin' && !admin) {
    const lack = `While it is ${state.status}, ${command} needs the scope returns:admin.`;
    return refused({ code: 'insufficient_scope', detail: lack });
  }
  return decided(null);
};
