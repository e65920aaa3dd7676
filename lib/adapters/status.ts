import type { Operation } from '../contract/operation.ts';
import type { Status } from '../domain/returns/model/status.ts';
import { isObject, type JsonObject } from '../runtime/json.ts';
import { log } from '../runtime/log.ts';
import { count } from '../runtime/metrics.ts';

/** The parts of an adapter that give the status of a return. */
export type StateRules = {
  readonly states: Readonly<Record<string, Status>>;
  readonly otherwise: Status;
};

/** The longest word of a state in an answer. */
const maxWord = 100;
/** The words of states that may leave: they may have spaces. Other texts may have personal data. */
const plainWord = /^[\p{L}\p{N}_. -]{1,100}$/u;
/** The most words of one answer in the log. */
const maxReported = 10;

/** Reports words that the adapter does not know. They are no dimension of the metric, because the service chooses them. */
export const reportUnknownStates = (words: readonly string[], { name }: Operation): void => {
  if (words.length === 0) return;
  for (const word of [...new Set(words)].slice(0, maxReported))
    log('warn', 'state unknown', { operation: name, ...(plainWord.test(word) && { state: word }) });
  count({ UnknownState: words.length });
};

/**
 * Replaces the word of the service by our status. A word that the adapter does not know gives `otherwise`, with the word
 * in `externalStatus` if it is a plain one.
 *
 * @param unknown gets such a word
 */
export const withStatus = (rules: StateRules, unknown: string[], mapped: JsonObject): JsonObject => {
  const { state, actions: _, ...fields } = mapped;
  if (typeof state !== 'string') return fields;
  if (Object.hasOwn(rules.states, state)) return { ...fields, status: rules.states[state] };
  const word = state.slice(0, maxWord);
  unknown.push(word);
  return { ...fields, status: rules.otherwise, ...(plainWord.test(word) && { externalStatus: word }) };
};

/** Completes the returns of a list: its items, or the member `return` of its items. */
export const completeList = (rules: StateRules, operation: Operation, mapped: JsonObject): JsonObject => {
  const { items } = mapped;
  if (!Array.isArray(items)) return mapped;
  const unknown: string[] = [];
  const completed = items.map((item: unknown) => {
    if (!isObject(item)) return item;
    const inner = item['return'];
    return isObject(inner) ? { ...item, return: withStatus(rules, unknown, inner) } : withStatus(rules, unknown, item);
  });
  reportUnknownStates(unknown, operation);
  return { ...mapped, items: completed };
};
