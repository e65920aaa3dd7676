/*
 * Counting by scans. A scanner sends one label twice, so the same code within a short time counts once. A scan that
 * counts nothing is kept until a person answers it. Pure: the time is an argument.
 */

/** A line whose units may arrive. */
export type CountableLine = {
  readonly lineId: string;
  /** What a label of the item may carry: the SKU, the id of the product. */
  readonly codes: readonly string[];
  /** Units that can still be received. */
  readonly open: number;
};

/**
 * Scans of a code that counted nothing. `repeated`: the scanner sent the code again at once. `full`: all open units of
 * its line are counted. `unknown`: no line has the code.
 */
export type OpenScan = {
  readonly code: string;
  readonly reason: 'repeated' | 'full' | 'unknown';
  /** Absent for an unknown code. */
  readonly lineId?: string;
  readonly times: number;
};

/** What a person counted of a return and has not sent. */
export type Counts = {
  readonly lines: Readonly<Record<string, number>>;
  readonly unexpected: readonly { readonly code: string; readonly quantity: number }[];
  /** Scans that wait for an answer. */
  readonly openScans: readonly OpenScan[];
  readonly lastScan?: { readonly code: string; readonly at: number };
};

export const noCounts: Counts = { lines: {}, unexpected: [], openScans: [] };

/**
 * Time in ms in which a scanner sends a label again. A person needs longer for the next item. The time begins again with
 * each scan, because a scanner above a label repeats it.
 */
export const repeatMs = 300;

/**
 * Brings a code into one form. Labels of one item may carry its number as EAN-8, UPC-A, EAN-13 or GTIN-14, which differ
 * in leading zeros only.
 */
export const normalizeCode = (code: string): string => {
  const plain = code.trim().toUpperCase();
  return /^\d{8}$|^\d{12,14}$/.test(plain) ? plain.replace(/^0+/, '') : plain;
};

/** Returns the lines of a code. Several may have the same SKU. */
const linesOf = (lines: readonly CountableLine[], code: string): readonly CountableLine[] =>
  lines.filter(({ codes }) => codes.some((known) => normalizeCode(known) === normalizeCode(code)));

/** Returns the first line of a code with an open unit. */
const freeLine = (counts: Counts, lines: readonly CountableLine[], code: string): CountableLine | undefined =>
  linesOf(lines, code).find((line) => countOf(counts, line.lineId) < line.open);

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

type ScanKey = Pick<OpenScan, 'code' | 'reason'>;
const isSameScan = (first: ScanKey, second: ScanKey): boolean =>
  normalizeCode(first.code) === normalizeCode(second.code) && first.reason === second.reason;

/** Keeps a scan that counted nothing. A code has one entry for each reason. */
export const keepScan = (counts: Counts, scan: Omit<OpenScan, 'times'>): Counts => {
  const times = counts.openScans.find((open) => isSameScan(open, scan))?.times ?? 0;
  const others = counts.openScans.filter((open) => !isSameScan(open, scan));
  return { ...counts, openScans: [...others, { ...scan, times: times + 1 }] };
};

/** The answer of a person to an open scan: no unit, one more of its line, or unexpected units for all its scans. */
export type ScanAnswer = 'ignore' | 'count' | 'unexpected';

/** Ends an open scan by an answer. One more unit than its line takes becomes an unexpected one. */
export const answerScan = (
  counts: Counts,
  lines: readonly CountableLine[],
  scan: OpenScan,
  answer: ScanAnswer,
): Counts => {
  const rest = { ...counts, openScans: counts.openScans.filter((open) => !isSameScan(open, scan)) };
  if (answer === 'ignore') return rest;
  if (answer === 'unexpected') return addUnexpected(rest, scan.code, scan.times);
  const line = freeLine(rest, lines, scan.code);
  return line === undefined ? addUnexpected(rest, scan.code, 1) : setCount(rest, line, countOf(rest, line.lineId) + 1);
};

export type Scanned = { readonly counts: Counts } & (
  | { readonly outcome: 'counted' | 'repeated' | 'full'; readonly lineId: string }
  /** No line has the code. */
  | { readonly outcome: 'unknown' }
  /** No line has the code, and the scanner sent it twice. */
  | { readonly outcome: 'again' }
);

/**
 * Counts one unit of the line that a code belongs to, or keeps the scan. An unknown code is left to the caller: it may
 * be the number of another parcel.
 *
 * @param now epoch milliseconds
 */
export const countScan = (counts: Counts, lines: readonly CountableLine[], code: string, now: number): Scanned => {
  const wanted = normalizeCode(code);
  const { lastScan } = counts;
  const isRepeat = lastScan?.code === wanted && now - lastScan.at < repeatMs;
  const seen = { ...counts, lastScan: { code: wanted, at: now } };
  const [first] = linesOf(lines, code);
  if (first === undefined) return { outcome: isRepeat ? 'again' : 'unknown', counts: seen };
  const { lineId } = first;
  const keep = (reason: 'repeated' | 'full'): Scanned => ({
    outcome: reason,
    counts: keepScan(seen, { code, reason, lineId }),
    lineId,
  });
  if (isRepeat) return keep('repeated');
  const line = freeLine(counts, lines, code);
  if (line === undefined) return keep('full');
  const counted = setCount(seen, line, countOf(counts, line.lineId) + 1);
  return { outcome: 'counted', counts: counted, lineId: line.lineId };
};
