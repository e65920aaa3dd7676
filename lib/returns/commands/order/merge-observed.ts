import type { Observed, OrderFacts, OrderLine } from '../../model/order.ts';

type Flat = ReadonlyMap<string, unknown>;

/** Between the parts of a fact's name: a character that no id can hold. */
const separator = '\n';

const flatten = ({ lines, customer, ...facts }: OrderFacts): Map<string, unknown> => {
  const flat = new Map<string, unknown>(Object.entries(facts));
  for (const [fact, value] of Object.entries(customer ?? {})) flat.set(`customer${separator}${fact}`, value);
  for (const { lineId, ...line } of lines) {
    for (const [fact, value] of Object.entries(line)) flat.set(['lines', lineId, fact].join(separator), value);
  }
  return flat;
};

const unflatten = (flat: Flat): OrderFacts => {
  const facts: Record<string, unknown> = {};
  const customer: Record<string, unknown> = {};
  const lines = new Map<string, Record<string, unknown>>();
  for (const [name, value] of flat) {
    const [first = '', second = '', third = ''] = name.split(separator);
    if (first === 'lines') lines.set(second, { lineId: second, ...lines.get(second), [third]: value });
    else if (first === 'customer') customer[second] = value;
    else facts[first] = value;
  }
  const known = Object.keys(customer).length === 0 ? facts : { ...facts, customer };
  // Every fact came out of an OrderFacts and went back to its place.
  return { ...known, lines: [...lines.values()] as unknown as OrderLine[] } as unknown as OrderFacts;
};

/**
 * Merges two observations of an order fact by fact, each line and the customer by their own facts: of each fact the newer
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
