import type { Observed, OrderFacts, OrderLine } from './order.ts';

type Flat = ReadonlyMap<string, unknown>;

/** Between the id of a line and the name of its fact: a character that no id can hold. */
const separator = '\n';

const flatten = ({ lines, ...facts }: OrderFacts): Map<string, unknown> => {
  const flat = new Map<string, unknown>(Object.entries(facts));
  for (const line of lines) {
    for (const [fact, value] of Object.entries(line)) flat.set(`${line.lineId}${separator}${fact}`, value);
  }
  return flat;
};

const unflatten = (flat: Flat): OrderFacts => {
  const facts: Record<string, unknown> = {};
  const lines = new Map<string, Record<string, unknown>>();
  for (const [name, value] of flat) {
    const [first = '', fact] = name.split(separator);
    if (fact === undefined) facts[first] = value;
    else lines.set(first, { ...lines.get(first), [fact]: value });
  }
  // Every fact came out of an OrderFacts and went back to its place.
  return { ...facts, lines: [...lines.values()] as unknown as OrderLine[] } as unknown as OrderFacts;
};

/**
 * Merges two observations of an order fact by fact, each line's facts for themselves: of each fact the newer
 * observation stands, and what only one of them tells stands as well. At equal times the arriving one stands. Times are
 * of one form (`2026-11-21T08:00:00.000Z`), so that they compare as text.
 */
export const mergeObserved = (
  known: { readonly facts: OrderFacts; readonly observed: Observed },
  arriving: { readonly facts: OrderFacts; readonly at: string },
): { facts: OrderFacts; observed: Observed } => {
  const merged = flatten(known.facts);
  const times = new Map([...merged.keys()].map((fact) => [fact, known.observed.older[fact] ?? known.observed.at]));
  for (const [fact, value] of flatten(arriving.facts)) {
    const before = times.get(fact);
    if (before !== undefined && before > arriving.at) continue;
    merged.set(fact, value);
    times.set(fact, arriving.at);
  }
  const at = known.observed.at > arriving.at ? known.observed.at : arriving.at;
  const older = Object.fromEntries([...times].filter(([, time]) => time !== at));
  return { facts: unflatten(merged), observed: { at, older } };
};
