import type { Operation } from '../contract/operation.ts';
import { allowsCommand, type Command, commands, scopeOf } from '../domain/returns/rules/states.ts';
import type { Status } from '../domain/returns/model/status.ts';
import { isObject, type JsonObject } from '../runtime/json.ts';
import { log } from '../runtime/log.ts';
import { count } from '../runtime/metrics.ts';

/** The parts of an adapter that give the status of a return, and what it allows. */
export type StateRules = {
  readonly states: Readonly<Record<string, Status>>;
  readonly otherwise: Status;
  readonly operations: Readonly<Record<string, unknown>>;
};

/** The longest word of a state in an answer and in a log. */
const maxWord = 100;

const isCommand = (name: string): name is Command => (commands as readonly string[]).includes(name);

/** Returns the offered commands, and whether each is allowed: as the service says, or by the status. */
const actionsOf = ({ operations }: StateRules, status: Status, actions: unknown) => {
  const known = Array.isArray(actions) ? new Set<unknown>(actions) : undefined;
  return Object.keys(operations)
    .filter(isCommand)
    .map((action) => ({
      action,
      scope: scopeOf(action, status),
      allowed: known === undefined ? allowsCommand(status, action) : known.has(action),
    }));
};

/** The words of states that a log can have: a text of the service may have personal data. */
const plainWord = /^[\p{L}\p{N}_. -]{1,100}$/u;
/** The most words of one answer in the log. */
const maxReported = 10;

/** Reports words that the adapter does not know. They are no dimension of the metric, because the service chooses them. */
const reportUnknownStates = (words: readonly string[], { name }: Operation): void => {
  if (words.length === 0) return;
  for (const word of [...new Set(words)].slice(0, maxReported))
    log('warn', 'state unknown', { operation: name, ...(plainWord.test(word) && { state: word }) });
  count({ UnknownState: words.length });
};

/**
 * Replaces the word of the service by our status. A word that the adapter does not know gives `otherwise`, with the word
 * in `externalStatus` and no allowed action.
 *
 * @param unknown gets such a word
 */
const withStatus = (rules: StateRules, unknown: string[], mapped: JsonObject, withActions: boolean): JsonObject => {
  const { state, actions, ...fields } = mapped;
  if (typeof state !== 'string') return fields;
  const status = Object.hasOwn(rules.states, state) ? rules.states[state] : undefined;
  if (status !== undefined)
    return { ...fields, status, ...(withActions && { allowedActions: actionsOf(rules, status, actions) }) };
  const word = state.slice(0, maxWord);
  unknown.push(word);
  return { ...fields, status: rules.otherwise, externalStatus: word, ...(withActions && { allowedActions: [] }) };
};

/**
 * Completes what a mapping returned: the status of each return, and the allowed actions of a single one. A list has
 * returns as its items, or as the member `return` of its items.
 */
export const completeReturns = (rules: StateRules, operation: Operation, mapped: JsonObject): JsonObject => {
  const { items } = mapped;
  const unknown: string[] = [];
  const inList = (item: unknown): unknown => {
    if (!isObject(item)) return item;
    const inner = item['return'];
    return isObject(inner)
      ? { ...item, return: withStatus(rules, unknown, inner, false) }
      : withStatus(rules, unknown, item, false);
  };
  const completed = Array.isArray(items)
    ? { ...mapped, items: items.map(inList) }
    : withStatus(rules, unknown, mapped, true);
  reportUnknownStates(unknown, operation);
  return completed;
};
