/*
 * Counting by scans. A scanner reads one label twice when it stays above it, so the same code within a short time
 * counts once. Pure: the time is an argument.
 */

/** A line whose units may arrive. */
export type CountableLine = {
  readonly lineId: string;
  /** What a label of the item may carry: the SKU, the id of the product. */
  readonly codes: readonly string[];
  /** Units that can still be received. */
  readonly open: number;
};

/** What a person counted of a return and has not sent. */
export type Counts = {
  readonly lines: Readonly<Record<string, number>>;
  readonly unexpected: readonly { readonly code: string; readonly quantity: number }[];
  readonly lastCounted?: { readonly code: string; readonly at: number };
};

export const noCounts: Counts = { lines: {}, unexpected: [] };

/** Time in which a second scan of the same code does not count. */
export const repeatMs = 1500;

/**
 * Brings a code into one form. Labels of one item may carry its number as EAN-8, UPC-A, EAN-13 or GTIN-14, which differ
 * in leading zeros only.
 */
export const normalizeCode = (code: string): string => {
  const plain = code.trim().toUpperCase();
  return /^\d{8}$|^\d{12,14}$/.test(plain) ? plain.replace(/^0+/, '') : plain;
};

/** Returns the counted units of a line. */
export const countOf = ({ lines }: Counts, lineId: string): number => lines[lineId] ?? 0;

/** Returns all counted units. */
export const totalOf = ({ lines, unexpected }: Counts): number =>
  Object.values(lines).reduce((sum, quantity) => sum + quantity, 0) +
  unexpected.reduce((sum, { quantity }) => sum + quantity, 0);

/** Sets the units of a line. More units than the line takes are not possible. */
export const setCount = (counts: Counts, line: CountableLine, quantity: number): Counts => ({
  ...counts,
  lines: { ...counts.lines, [line.lineId]: Math.max(0, Math.min(line.open, quantity)) },
});

/** Adds units of an unexpected item, or removes them. */
export const addUnexpected = (counts: Counts, code: string, quantity: number): Counts => {
  const known = counts.unexpected.some((item) => item.code === code);
  const items = known ? counts.unexpected : [...counts.unexpected, { code, quantity: 0 }];
  return {
    ...counts,
    unexpected: items
      .map((item) => (item.code === code ? { code, quantity: item.quantity + quantity } : item))
      .filter((item) => item.quantity > 0),
  };
};

export type Scanned =
  | { readonly outcome: 'counted' | 'repeated'; readonly counts: Counts; readonly lineId: string }
  /** The code belongs to a line whose units are all counted. */
  | { readonly outcome: 'full'; readonly lineId: string }
  | { readonly outcome: 'unknown' };

/**
 * Counts one unit of the line that a code belongs to.
 *
 * @param now epoch milliseconds
 * @param isDeliberate counts the same code again at once
 */
export const countScan = (
  counts: Counts,
  lines: readonly CountableLine[],
  code: string,
  now: number,
  isDeliberate = false,
): Scanned => {
  const wanted = normalizeCode(code);
  const matching = lines.filter(({ codes }) => codes.some((code) => normalizeCode(code) === wanted));
  const [first] = matching;
  if (first === undefined) return { outcome: 'unknown' };
  const { lastCounted } = counts;
  const isRepeat = lastCounted?.code === wanted && now - lastCounted.at < repeatMs;
  if (isRepeat && !isDeliberate) return { outcome: 'repeated', counts, lineId: first.lineId };
  // Several lines may have the same SKU: the first with an open unit takes it.
  const line = matching.find((candidate) => countOf(counts, candidate.lineId) < candidate.open);
  if (line === undefined) return { outcome: 'full', lineId: first.lineId };
  return {
    outcome: 'counted',
    counts: { ...setCount(counts, line, countOf(counts, line.lineId) + 1), lastCounted: { code: wanted, at: now } },
    lineId: line.lineId,
  };
};
