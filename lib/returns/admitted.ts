import { allowedActions } from './allowed-actions.ts';
import { decided, refused, type Decision } from './failure.ts';
import type { Return } from './return.ts';
import { commandsIn, type Command } from './states.ts';

/** Whether the state table admits a command; otherwise the refusal says what may be done instead. */
export const admitted = ({ status }: Return, command: Command): Decision<null> =>
  commandsIn[status].includes(command)
    ? decided(null)
    : refused({
        code: 'invalid_transition',
        detail: `A return that is ${status} does not take ${command}.`,
        allowedActions: allowedActions(status),
      });
