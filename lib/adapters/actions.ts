import type { Operation } from '../contract/operation.ts';
import { allowsCommand, type Command, commands, scopeOf } from '../domain/returns/rules/states.ts';
import type { Status } from '../domain/returns/model/status.ts';
import type { JsonObject } from '../runtime/json.ts';
import { reportUnknownStates, type StateRules, withStatus } from './status.ts';

/** The parts of an adapter that give the status of a return, and what it allows. */
export type ActionRules = StateRules & { readonly operations: Readonly<Record<string, unknown>> };

const isCommand = (name: string): name is Command => (commands as readonly string[]).includes(name);

/** Returns the offered commands, and whether each is allowed: as the service says, or by the status. */
const actionsOf = ({ operations }: ActionRules, status: Status, actions: unknown) => {
  const known = Array.isArray(actions) ? new Set<unknown>(actions) : undefined;
  return Object.keys(operations)
    .filter(isCommand)
    .map((action) => ({
      action,
      scope: scopeOf(action, status),
      allowed: known === undefined ? allowsCommand(status, action) : known.has(action),
    }));
};

/** Completes a single return: its status, and its allowed actions. A state that the adapter does not know allows none. */
export const completeReturn = (rules: ActionRules, operation: Operation, mapped: JsonObject): JsonObject => {
  const { state, actions } = mapped;
  const unknown: string[] = [];
  const completed = withStatus(rules, unknown, mapped);
  reportUnknownStates(unknown, operation);
  if (typeof state !== 'string') return completed;
  const status = rules.states[state];
  const isKnown = status !== undefined && unknown.length === 0;
  return { ...completed, allowedActions: isKnown ? actionsOf(rules, status, actions) : [] };
};
