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

/** Where a range of whole numbers can begin: at 0, at an end that belongs to it, or right after one that does not. */
const numberEnds = (literals: readonly Literal[]): readonly LiteralKey[] => [
  0,
  ...endsOf(literals, ['from']),
  ...endsOf(literals, ['above']).map((end) => Number(end) + 1),
];

/** Whether ranges leave anything: where they do, what is left begins with one of their lower ends, or right after it. */
const isRangePossible = (literals: readonly Literal[], isNumber: boolean): boolean => {
  const ranged = literals.filter(({ op }) => op !== 'notIn');
  if (isNumber) {
    const minimum = numberEnds(ranged).reduce((a, b) => (a > b ? a : b));
    const taken = new Set(endsOf(literals, ['notIn']));
    const highest = endsOf(ranged, ['to', 'below']).length > 0;
    // More numbers than are taken out cannot all be taken out.
    let next = Number(minimum);
    while (taken.has(next)) next += 1;
    return !highest || ranged.every((range) => satisfiesLiteral(next, range));
  }
  const lows = endsOf(ranged, ['from', 'above']);
  const highs = endsOf(ranged, ['to', 'below']);
  if (lows.length === 0 || highs.length === 0) return true;
  const low = lows.reduce((a, b) => (a > b ? a : b));
  const high = highs.reduce((a, b) => (a < b ? a : b));
  return low < high || (low === high && literals.every((one) => satisfiesLiteral(low, one)));
};

const booleans: ReadonlySet<LiteralKey> = new Set([true, false]);

/** The fewest values of which it must be one; undefined where any will do. */
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
    if ((typeof value !== 'number' || value >= 0) && literals.every((one) => satisfiesLiteral(value, one))) return true;
  return false;
};

const isWithin = (keys: ReadonlySet<LiteralKey>, all: ReadonlySet<LiteralKey>): boolean =>
  [...keys].every((key) => all.has(key));

/** What a list must hold, what it must not, and whether the rest can still be so. */
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

/** What lies at most so many days back cannot lie further back than that. */
const canBeInstant = (literals: readonly Literal[]): boolean =>
  Math.min(...endsOf(literals, ['within']).map(Number)) > Math.max(...endsOf(literals, ['longAgo']).map(Number));

/**
 * Whether one fact can be as literals about it say, all of them at once. Where it is not plain, it can.
 *
 * @param literals of one fact
 */
export const isPossible = (literals: readonly Literal[]): boolean => {
  const [first] = literals;
  if (first === undefined) return true;
  if (literals.some(({ op }) => op === 'missing')) return literals.every(({ op }) => op === 'missing');
  const kind = factKinds.get(first.fact) ?? 'text';
  if (kind === 'texts') return canBeList(literals);
  return canBeScalar(literals, kind) && (kind !== 'instant' || canBeInstant(literals));
};
