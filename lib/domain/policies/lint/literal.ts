import type { Leaf } from '../policy.ts';
import { factKinds } from '../fact-catalogue.ts';
import { inUtc } from '../time/calendar.ts';

/** A comparable value. Instants are text of one length. */
export type LiteralKey = string | number | boolean;

/** The negation of each operator. The names of range operators state whether the end is included. */
const opposites = {
  in: 'notIn',
  notIn: 'in',
  from: 'below',
  below: 'from',
  to: 'above',
  above: 'to',
  exists: 'missing',
  missing: 'exists',
  within: 'longAgo',
  longAgo: 'within',
  hasAny: 'hasNone',
  hasNone: 'hasAny',
  hasAll: 'lacksOne',
  lacksOne: 'hasAll',
} as const;
type Operator = keyof typeof opposites;

/** A requirement on one fact. All operators but `missing` require that the fact is known. */
export type Literal = { readonly fact: string; readonly op: Operator; readonly keys: ReadonlySet<LiteralKey> };

export const literal = (fact: string, op: Operator, keys: Iterable<LiteralKey>): Literal => ({
  fact,
  op,
  keys: new Set(keys),
});

export const negate = ({ fact, op, keys }: Literal): Literal => ({ fact, op: opposites[op], keys });

/** Normalizes instants, whose fractions of a second differ in length and whose offsets differ. */
const toLiteralKey = (fact: string, value: LiteralKey): LiteralKey => {
  if (factKinds.get(fact) !== 'instant' || typeof value !== 'string') return value;
  const [whole = '', fraction = ''] = inUtc(value).slice(0, -1).split('.');
  return `${whole}.${fraction.padEnd(9, '0')}`;
};

const ranges = { lt: 'below', lte: 'to', gt: 'above', gte: 'from' } as const;

/** Returns a comparison as literals that must all hold. */
export const literalsOf = (comparison: Leaf): readonly Literal[] => {
  const { fact } = comparison;
  const key = (value: LiteralKey) => toLiteralKey(fact, value);
  switch (comparison.op) {
    case 'eq':
      return [literal(fact, 'in', [key(comparison.value)])];
    case 'neq':
      return [literal(fact, 'notIn', [key(comparison.value)])];
    case 'lt':
    case 'lte':
    case 'gt':
    case 'gte':
      return [literal(fact, ranges[comparison.op], [key(comparison.value)])];
    case 'between':
      return [literal(fact, 'from', [key(comparison.value[0])]), literal(fact, 'to', [key(comparison.value[1])])];
    case 'in':
    case 'notIn':
    case 'hasAny':
    case 'hasAll':
      return [literal(fact, comparison.op, comparison.value)];
    case 'exists':
      return [literal(fact, comparison.value ? 'exists' : 'missing', [])];
    case 'withinDays':
      return [literal(fact, 'within', [comparison.value])];
  }
};
