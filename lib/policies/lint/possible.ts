import { factKinds } from '../fact-catalogue.ts';
import type { Key, Literal } from './literal.ts';

const inRange: Readonly<Partial<Record<Literal['op'], (value: Key, end: Key) => boolean>>> = {
  from: (value, end) => value >= end,
  to: (value, end) => value <= end,
  above: (value, end) => value > end,
  below: (value, end) => value < end,
};

const isOne = (value: Key, { op, keys }: Literal): boolean => {
  if (op === 'in' || op === 'notIn') return keys.has(value) === (op === 'in');
  const test = inRange[op];
  return test === undefined || [...keys].every((end) => test(value, end));
};

const endsOf = (literals: readonly Literal[], ops: readonly Literal['op'][]): readonly Key[] =>
  literals.filter(({ op }) => ops.includes(op)).flatMap(({ keys }) => [...keys]);

/** Where a range of whole numbers can begin: at 0, at an end that belongs to it, or right after one that does not. */
const numberEnds = (literals: readonly Literal[]): readonly Key[] => [
  0,
  ...endsOf(literals, ['from']),
  ...endsOf(literals, ['above']).map((end) => Number(end) + 1),
];

/** Whether ranges leave anything: where they do, what is left begins with one of their lower ends, or right after it. */
const hasRoom = (literals: readonly Literal[], isNumber: boolean): boolean => {
  const ranged = literals.filter(({ op }) => op !== 'notIn');
  if (isNumber) {
    const minimum = numberEnds(ranged).reduce((a, b) => (a > b ? a : b));
    const taken = new Set(endsOf(literals, ['notIn']));
    const highest = endsOf(ranged, ['to', 'below']).length > 0;
    // More numbers than are taken out cannot all be taken out.
    let next = Number(minimum);
    while (taken.has(next)) next += 1;
    return !highest || ranged.every((range) => isOne(next, range));
  }
  const lows = endsOf(ranged, ['from', 'above']);
  const highs = endsOf(ranged, ['to', 'below']);
  if (lows.length === 0 || highs.length === 0) return true;
  const low = lows.reduce((a, b) => (a > b ? a : b));
  const high = highs.reduce((a, b) => (a < b ? a : b));
  return low < high || (low === high && literals.every((one) => isOne(low, one)));
};

const yesAndNo: ReadonlySet<Key> = new Set([true, false]);

/** The fewest values of which it must be one; undefined where any will do. */
const candidates = (literals: readonly Literal[], kind: string): ReadonlySet<Key> | undefined => {
  let fewest = kind === 'boolean' ? yesAndNo : undefined;
  for (const { op, keys } of literals)
    if (op === 'in' && (fewest === undefined || keys.size < fewest.size)) fewest = keys;
  return fewest;
};

const canBeScalar = (literals: readonly Literal[], kind: string): boolean => {
  const values = candidates(literals, kind);
  if (values === undefined) return kind === 'text' || hasRoom(literals, kind === 'number');
  for (const value of values)
    if ((typeof value !== 'number' || value >= 0) && literals.every((one) => isOne(value, one))) return true;
  return false;
};

const isWithin = (keys: ReadonlySet<Key>, all: ReadonlySet<Key>): boolean => [...keys].every((key) => all.has(key));

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
const canBeThen = (literals: readonly Literal[]): boolean =>
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
  return canBeScalar(literals, kind) && (kind !== 'instant' || canBeThen(literals));
};
