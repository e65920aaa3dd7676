import english from './en/fact-words.json' with { type: 'json' };
import { fill } from './fill.ts';
import { texts } from './language.ts';
import brazilian from './pt-BR/fact-words.json' with { type: 'json' };
import portuguese from './pt/fact-words.json' with { type: 'json' };
import { wordsOfFact } from './words-of-fact.ts';

/* The words for the facts of a policy, and for their comparisons. */

const words = texts(english, portuguese, brazilian);

type Words = ReturnType<typeof words>;

const isInstant = (value: unknown): boolean => typeof value === 'string' && /^\d{4}-\d\d-\d\dT/.test(value);

/** Returns the words for a fact, or its name if it has none. */
export const factWords = (name: string): string => {
  const t = words();
  const [fact = name, days] = wordsOfFact(t.fact, name);
  return days === undefined ? fact : fill(t.inDays, { fact, days });
};

/** Returns the words for an operator. */
export const operatorWords = (op: string, isTime = false): string => {
  const { op: ops, time } = words();
  const inTime = isTime ? (time as Readonly<Record<string, string>>)[op] : undefined;
  return inTime ?? (ops as Readonly<Record<string, string>>)[op] ?? op;
};

/** Returns the words for a value of a fact. */
export const valueWords = (value: unknown, format: (value: string | number) => string = String): string => {
  const t = words();
  if (value === null || value === undefined) return t.missing;
  if (typeof value === 'boolean') return value ? t.yes : t.no;
  if (Array.isArray(value))
    return value.length === 0 ? t.nothing : value.map((item) => valueWords(item, format)).join(', ');
  return typeof value === 'string' || typeof value === 'number' ? format(value) : JSON.stringify(value);
};

const isList = Array.isArray as (value: unknown) => value is readonly unknown[];

/** Returns a condition as one sentence. A shape that is not a condition is shown as JSON. */
export const conditionWords = (condition: unknown, t: Words = words()): string => {
  if (typeof condition !== 'object' || condition === null) return JSON.stringify(condition);
  const { and, or, not, use, fact, op, value } = condition as Readonly<Record<string, unknown>>;
  const group = (parts: readonly unknown[], join: string) =>
    parts
      .map((part) => {
        const isGroup = typeof part === 'object' && part !== null && ('and' in part || 'or' in part);
        const inner = conditionWords(part, t);
        return isGroup ? `(${inner})` : inner;
      })
      .join(` ${join} `);
  if (isList(and)) return group(and, t.and);
  if (isList(or)) return group(or, t.or);
  if (not !== undefined) return fill(t.not, { inner: conditionWords(not, t) });
  if (typeof use === 'string') return fill(t.use, { name: use });
  if (typeof fact !== 'string' || typeof op !== 'string') return JSON.stringify(condition);
  if (op === 'exists')
    return value === false ? fill(t.unknown, { fact: factWords(fact) }) : fill(t.known, { fact: factWords(fact) });
  if (op === 'withinDays') return fill(t.days, { fact: factWords(fact), days: String(value) });
  const isTime = isInstant(isList(value) ? value[0] : value);
  const text =
    op === 'between' && isList(value) ? value.map((bound) => valueWords(bound)).join(` ${t.and} `) : valueWords(value);
  return `${factWords(fact)} ${operatorWords(op, isTime)} ${text === '' ? '…' : text}`;
};
