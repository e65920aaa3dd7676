import { allowedActions } from './allowed-actions.ts';
import { decided, refused, type Decision } from './failure.ts';
import { blockerOf } from './guards.ts';
import type { Situation } from './situation.ts';
import { scopeOf, type Command } from './states.ts';

/** Whether a return takes a command as it is now; otherwise the refusal says what may be done instead. */
export const admitted = ({ state, admin }: Situation, command: Command): Decision<null> => {
  const blocker = blockerOf(state, command);
  if (blocker !== undefined) {
    const { detail } = blocker;
    return refused({ code: 'invalid_transition', detail, allowedActions: allowedActions(state) });
  }
  if (scopeOf(command, state.status) === 'returns:admin' && !admin) {
    const lack = `While it is ${state.status}, ${command} needs the scope returns:admin.`;
    return refused({ code: 'insufficient_scope', detail: lack });
  }
  return decided(null);
};
