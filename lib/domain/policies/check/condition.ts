import type { FieldError } from '../../returns/model/status.ts';
import { type FactKind, factKinds, isOfLine } from '../fact-catalogue.ts';
import { compareInstants, isInstant } from '../time/calendar.ts';
import {
  capitalised,
  check,
  type Check,
  field,
  isMembers,
  listOf,
  type Members,
  pointerStep,
  type Schema,
} from './shape.ts';
import { country, days, flag, instant, maxValues, name, number } from './values.ts';

/** The maximum depth of a condition. A leaf has depth 1. */
export const maxDepth = 8;
/** The maximum number of conditions in a condition, with itself and the ones that it uses. */
export const maxNodes = 1000;

const numberRange: Check = listOf(number, 2, 2);
const instantRange: Check = listOf(instant, 2, 2);
const textList: Check = listOf(name, maxValues);

/** The operators for each kind of fact, with the check of their value. */
const operators: Readonly<Record<FactKind, ReadonlyMap<string, Check>>> = {
  text: new Map([
    ['eq', name],
    ['neq', name],
    ['in', textList],
    ['notIn', textList],
    ['exists', flag],
  ]),
  number: new Map([
    ...['eq', 'neq', 'lt', 'lte', 'gt', 'gte'].map((op): [string, Check] => [op, number]),
    ['in', listOf(number, maxValues)],
    ['notIn', listOf(number, maxValues)],
    ['between', numberRange],
    ['exists', flag],
  ]),
  boolean: new Map(['eq', 'neq', 'exists'].map((op) => [op, flag])),
  instant: new Map([
    ...['eq', 'neq', 'lt', 'lte', 'gt', 'gte'].map((op): [string, Check] => [op, instant]),
    ['between', instantRange],
    ['exists', flag],
    ['withinDays', days],
  ]),
  texts: new Map([
    ['hasAny', textList],
    ['hasAll', textList],
    ['exists', flag],
  ]),
};

/** Returns the operators that a condition may use with facts of a kind. */
export const operatorsOf = (kind: FactKind): readonly string[] => [...operators[kind].keys()];

/** Returns the name of the schema with the facts of a kind, such as `PolicyNumberFact`. */
export const factSchemaName = (kind: FactKind): string => `Policy${capitalised(kind)}Fact`;

/** The schemas of comparisons with the facts of a kind: one for the operators with the same kind of value. */
const comparisonSchemas = (kind: FactKind): readonly Schema[] => {
  const names = [...factKinds].filter(([, of]) => of === kind).map(([name]) => name);
  const fact = { $id: factSchemaName(kind), enum: names };
  const byValue = Map.groupBy(operators[kind], ([, { schema }]) => JSON.stringify(schema));
  return [...byValue.values()].map((group) => ({
    $id: `Policy${capitalised(kind)}${capitalised(group[0]?.[0] ?? '')}`,
    description: `Compares a fact of kind ${kind}.`,
    type: 'object',
    required: ['fact', 'op', 'value'],
    properties: { fact, op: { enum: group.map(([op]) => op) }, value: group[0]?.[1].schema },
    additionalProperties: false,
  }));
};

const isReversedRange = ([from, to]: readonly unknown[]): boolean =>
  typeof from === 'string' && typeof to === 'string'
    ? isInstant(from) && isInstant(to) && compareInstants(from, to) > 0
    : typeof from === 'number' && typeof to === 'number' && from > to;

/** Suggests facts with the same prefix, or names the prefixes. */
const suggestedFacts = (factName: unknown): string => {
  const of = typeof factName === 'string' ? factName.slice(0, factName.indexOf('.') + 1) : '';
  const near = of === '' ? [] : [...factKinds.keys()].filter((fact) => fact.startsWith(of));
  return near.length > 0
    ? near.join(', ')
    : 'requestedAt or a fact of order, customer, return or line, such as order.country';
};

function* comparisonErrors(kind: FactKind, condition: Members, path: string): Iterable<FieldError> {
  const { op, value } = condition;
  const known = operators[kind];
  const valueCheck = typeof op === 'string' ? known.get(op) : undefined;
  if (valueCheck === undefined)
    return yield {
      path: `${path}/op`,
      code: Object.hasOwn(condition, 'op') ? 'operator' : 'required',
      message: `must be one of ${[...known.keys()].join(', ')}: the fact's kind is ${kind}`,
    };
  yield* field('value', valueCheck, condition, path);
  if (op === 'between' && Array.isArray(value) && isReversedRange(value))
    yield { path: `${path}/value`, code: 'range', message: 'must start with the lower value' };
}

/** A country that no order can have makes a rule that never applies. */
function* countryErrors({ op, value }: Members, path: string): Iterable<FieldError> {
  if (typeof value === 'string' && (op === 'eq' || op === 'neq')) return yield* country(value, `${path}/value`);
  if (!Array.isArray(value) || (op !== 'in' && op !== 'notIn')) return;
  for (const [index, item] of value.entries())
    if (typeof item === 'string') yield* country(item, `${path}/value/${index}`);
}

function* leafErrors(condition: Members, path: string, whole: string | undefined): Iterable<FieldError> {
  for (const name of Object.keys(condition))
    if (name !== 'fact' && name !== 'op' && name !== 'value')
      yield {
        path: path + pointerStep(name),
        code: 'unknown_field',
        message: 'is not a field of a comparison; the fields are fact, op, value',
      };
  const { fact } = condition;
  const kind = typeof fact === 'string' ? factKinds.get(fact) : undefined;
  if (typeof fact !== 'string' || kind === undefined)
    return yield {
      path: `${path}/fact`,
      code: fact === undefined ? 'required' : 'unknown_fact',
      message: `must be a fact: ${suggestedFacts(fact)}`,
    };
  if (whole !== undefined && isOfLine(fact))
    yield { path: `${path}/fact`, code: 'line_fact', message: `must be a fact of the whole return in ${whole}` };
  yield* comparisonErrors(kind, condition, path);
  if (fact === 'order.country') yield* countryErrors(condition, path);
}

const combinators = ['and', 'or', 'not', 'use'] as const;

function* combinatorErrors(join: (typeof combinators)[number], condition: Members, path: string): Iterable<FieldError> {
  for (const name of Object.keys(condition))
    if (name !== join)
      yield {
        path: path + pointerStep(name),
        code: 'unknown_field',
        message: `must be absent when ${join} is present`,
      };
  if (join === 'use' && typeof condition[join] !== 'string')
    yield { path: `${path}/use`, code: 'type', message: 'must be the name of a condition of this policy' };
}

const kinds = Object.keys(operators) as readonly FactKind[];

const conditionReference = { $ref: '#/components/schemas/PolicyCondition' };

const joinSchema = (join: (typeof combinators)[number], value: Schema): Schema => ({
  $id: `Policy${capitalised(join)}`,
  description: `A condition with ${join}.`,
  type: 'object',
  required: [join],
  properties: { [join]: value },
  additionalProperties: false,
});

const conditionList = { type: 'array', items: conditionReference, maxItems: maxNodes };

/** The schema of any condition. Where facts of one line or about conduct may not be used, the check is stricter. */
const conditionSchema: Schema = {
  $id: 'PolicyCondition',
  anyOf: [
    joinSchema('and', conditionList),
    joinSchema('or', conditionList),
    joinSchema('not', conditionReference),
    joinSchema('use', { type: 'string' }),
    ...kinds.flatMap(comparisonSchemas),
  ],
};

/**
 * Checks a condition by itself. Used conditions are checked elsewhere (uses.ts).
 *
 * @param whole what evaluates the whole return, and may not use facts of one line; undefined where they may be used
 */
export const conditionCheck = (whole?: string): Check => {
  const at = (depth: number): Check =>
    check(conditionSchema, function* (value, path) {
      // A deeper condition is an error anyway, and would overflow the stack.
      if (depth > maxDepth) return;
      if (!isMembers(value)) return yield { path, code: 'type', message: 'must be an object' };
      const join = combinators.find((key) => Object.hasOwn(value, key));
      if (join === undefined) return yield* leafErrors(value, path, whole);
      yield* combinatorErrors(join, value, path);
      if (join === 'not') yield* at(depth + 1)(value[join], `${path}/not`);
      if (join === 'and' || join === 'or')
        yield* listOf(at(depth + 1), maxNodes)(value[join], path + pointerStep(join));
    });
  return at(1);
};
