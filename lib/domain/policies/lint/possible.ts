import { factKinds } from '../fact-catalogue.ts';
import type { LiteralKey, Literal } from './literal.ts';

const inRange: Readonly<Partial<Record<Literal['op'], (value: LiteralKey, end: LiteralKey) => boolean>>> = {
  from: (value, end) => value >= end,
  to: (value, end) => value <= end,
  above: (value, end) => value > end,
  below: (value, end) => value < end,
};

const satisfiesLiteral = (value: LiteralKey, { op, keys }: Literal): boolean => {
  if (op === 'in' || op === 'notIn') return keys.has(value) === (op === 'in');
  const test = inRange[op];
  return test === undefined || [...keys].every((end) => test(value, end));
};

const endsOf = (literals: readonly Literal[], ops: readonly Literal['op'][]): readonly LiteralKey[] =>
  literals.filter(({ op }) => ops.includes(op)).flatMap(({ keys }) => [...keys]);

/**
 * Returns the possible starts of a range of whole numbers. They are 0, an inclusive lower end, and the number above an
 * exclusive one.
 */
const numberEnds = (literals: readonly Literal[]): readonly LiteralKey[] => [
  0,
  ...endsOf(literals, ['from']),
  ...endsOf(literals, ['above']).map((end) => Number(end) + 1),
];

/** Returns whether ranges leave a value. The lowest value is one of their lower ends, or the next number. */
const isRangePossible = (literals: readonly Literal[], isNumber: boolean): boolean => {
  const ranged = literals.filter(({ op }) => op !== 'notIn');
  if (isNumber) {
    const minimum = numberEnds(ranged).reduce((a, b) => (a > b ? a : b));
    const taken = new Set(endsOf(literals, ['notIn']));
    const highest = endsOf(ranged, ['to', 'below']).length > 0;
    // The loop ends, because only finitely many numbers are excluded.
    let next = Number(minimum);
    while (taken.has(next)) next += 1;
    return !highest || ranged.every((range) => satisfiesLiteral(next, range));
  }
  const lows = endsOf(ranged, ['from', 'above']);
  const highs = endsOf(ranged, ['to', 'below']);
  if (lows.length === 0 || highs.length === 0) return true;
  const low = lows.reduce((a, b) => (a > b ? a : b));
  const high = highs.reduce((a, b) => (a < b ? a : b));
  return low < high || (low === high && literals.every((bound) => satisfiesLiteral(low, bound)));
};

const booleans: ReadonlySet<LiteralKey> = new Set([true, false]);

/** Returns the smallest set of values that the literals allow; undefined when any value is allowed. */
const candidates = (literals: readonly Literal[], kind: string): ReadonlySet<LiteralKey> | undefined => {
  let fewest = kind === 'boolean' ? booleans : undefined;
  for (const { op, keys } of literals)
    if (op === 'in' && (fewest === undefined || keys.size < fewest.size)) fewest = keys;
  return fewest;
};

const canBeScalar = (literals: readonly Literal[], kind: string): boolean => {
  const values = candidates(literals, kind);
  if (values === undefined) return kind === 'text' || isRangePossible(literals, kind === 'number');
  for (const value of values)
    if ((typeof value !== 'number' || value >= 0) && literals.every((test) => satisfiesLiteral(value, test)))
      return true;
  return false;
};

const isWithin = (keys: ReadonlySet<LiteralKey>, all: ReadonlySet<LiteralKey>): boolean =>
  [...keys].every((key) => all.has(key));

/** Returns whether a list can hold the required values without the excluded ones. */
const canBeList = (literals: readonly Literal[]): boolean => {
  const must = new Set(endsOf(literals, ['hasAll']));
  const none = new Set(endsOf(literals, ['hasNone']));
  return (
    ![...must].some((key) => none.has(key)) &&
    literals.every(
      ({ op, keys }) => (op !== 'hasAny' || !isWithin(keys, none)) && (op !== 'lacksOne' || !isWithin(keys, must)),
    )
  );
};

/** Returns whether instants can be within one number of days and beyond another one. */
const canBeInstant = (literals: readonly Literal[]): boolean =>
  Math.min(...endsOf(literals, ['within']).map(Number)) > Math.max(...endsOf(literals, ['longAgo']).map(Number));

/**
 * Returns whether one fact can satisfy all literals at once. Undecided cases count as possible.
 *
 * @param literals literals of one fact
 */
export const isPossible = (literals: readonly Literal[]): boolean => {
  const [first] = literals;
  if (first === undefined) return true;
  if (literals.some(({ op }) => op === 'missing')) return literals.every(({ op }) => op === 'missing');
  const kind = factKinds.get(first.fact) ?? 'text';
  if (kind === 'texts') return canBeList(literals);
  return canBeScalar(literals, kind) && (kind !== 'instant' || canBeInstant(literals));
};
