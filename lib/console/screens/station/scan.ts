import { signal } from '@preact/signals';
import type { Answer } from '../../api/call.ts';
import { uninspected } from '../../api/line-units.ts';
import { search, searchNumbers } from '../../api/search.ts';
import { setQuery } from '../../app/router.ts';
import { fill } from '../../texts/fill.ts';
import { label } from '../../texts/labels.ts';
import { type CountableLine, countOf, countScan, keepScan } from './counting.ts';
import { say, sayNothing } from './messages.ts';
import { open, opened, type Opened, readingProblem, type Step } from './opened.ts';
import { t } from './texts.ts';
import { countableLines, isNumberOf, nameOf } from './units.ts';
import { counts, unsentReturns } from './work.ts';

type Candidate = { readonly returnId: string; readonly rmaNumber: string };

/** What the code of an item may be equal to. Then it is no code of a parcel. */
const ofItems: ReadonlySet<string> = new Set(['order', 'sku']);

/**
 * Finds the returns of a code or a name.
 *
 * @param isItemPossible whether a return is open, so that the code may belong to an item, and is no name
 */
const findByCode = async (code: string, isItemPossible: boolean): Promise<Answer<readonly Candidate[]>> => {
  const answer = await (isItemPossible ? searchNumbers(code) : search(code));
  if (!answer.ok) return answer;
  const found = answer.value.items.filter(({ matchedBy }) => !isItemPossible || !ofItems.has(matchedBy));
  return { ok: true, value: found.map((item) => item.return) };
};

/** The number of scans that wait for a response or are in work. */
export const waiting = signal(0);

/** The line that a scan selected in the inspection. */
export const selectedLine = signal<string | undefined>(undefined);

/** Returns why a return takes no goods, or undefined if it takes them. */
export const receiptBlocker = ({ value }: Opened): string | undefined => {
  const action = value.allowedActions?.find((candidate) => candidate.action === 'receive');
  if (action === undefined || action.allowed) return undefined;
  return label('blocker', action.blockedBy ?? 'invalid_transition');
};

const lineName = ({ value, order }: Opened, lineId: string): string => {
  const line = value.lines.find((candidate) => candidate.lineId === lineId);
  return line === undefined ? lineId : nameOf(line, order);
};

/** Opens the return of a code, or offers those that have it. Counted units of the open return are kept. */
const openByCode = async (code: string): Promise<boolean> => {
  const found = await findByCode(code, opened.peek() !== undefined);
  readingProblem.value = found.ok ? undefined : found.problem;
  if (!found.ok) {
    sayNothing();
    return true;
  }
  const [first, second] = found.value;
  if (first === undefined) return false;
  const current = opened.peek()?.value;
  if (second !== undefined) {
    say('warning', fill(t().message.several, { code }), found.value);
    return true;
  }
  if (!(await open(first.returnId, code))) return true;
  if (current !== undefined && unsentReturns().includes(current.returnId))
    say('warning', fill(t().message.kept, { rma: current.rmaNumber }));
  else say('good', fill(t().message.opened, { rma: first.rmaNumber }));
  return true;
};

type Scan = {
  readonly code: string;
  readonly step: Step;
  /** When the code arrived, in epoch milliseconds. */
  readonly at: number;
};

/** Counts a unit, or keeps the scan at its line. Returns false for a code that no line has. */
const countUnit = (current: Opened, lines: readonly CountableLine[], { code, step, at }: Scan): boolean => {
  const { returnId } = current.value;
  const result = countScan(counts.of(returnId), lines, code, at);
  counts.set(returnId, result.counts);
  if (result.outcome === 'unknown') return false;
  if (result.outcome === 'again') return true;
  const name = lineName(current, result.lineId);
  if (result.outcome === 'counted') {
    const open = lines.find(({ lineId }) => lineId === result.lineId)?.open ?? 0;
    say('good', fill(t().message.counted, { name, count: countOf(result.counts, result.lineId), open }));
  } else say('warning', fill(t().openScan[result.outcome], { name, count: 1 }));
  // The person must see the count: it is not sent yet.
  if (step !== 'receive') setQuery({ step: 'receive' }, { replace: true });
  return true;
};

/** Asks at the list of lines what an unknown item is. */
const keepUnknown = ({ value: { returnId } }: Opened, { code, step }: Scan): void => {
  counts.set(returnId, keepScan(counts.of(returnId), { code, reason: 'unknown' }));
  if (step !== 'receive') setQuery({ step: 'receive' }, { replace: true });
};

/** In the inspection, a scan selects the line of an item that waits for its result. */
const selectForInspection = (current: Opened, lines: readonly CountableLine[], code: string): boolean => {
  const codes = new Set(lines.filter((line) => line.codes.includes(code)).map(({ lineId }) => lineId));
  const line = current.value.lines.find((candidate) => codes.has(candidate.lineId) && uninspected(candidate) > 0);
  if (line === undefined) return false;
  selectedLine.value = line.lineId;
  say('good', fill(t().message.inspecting, { name: nameOf(line, current.order) }));
  return true;
};

const handle = async (scanned: Scan): Promise<void> => {
  const { code, step } = scanned;
  const current = opened.peek();
  if (current === undefined) {
    if (!(await openByCode(code))) say('bad', fill(t().message.notFound, { code }));
    return;
  }
  const lines = countableLines(current.value, current.order);
  if (step === 'inspect' && selectForInspection(current, lines, code)) return;
  const blocker = receiptBlocker(current);
  const isItem = lines.some((line) => line.codes.includes(code));
  if (isItem && blocker !== undefined) say('bad', fill(t().message.cannotReceive, { why: blocker }));
  else if (blocker === undefined && countUnit(current, lines, scanned)) return;
  else if (isNumberOf(current.value, code)) say('good', t().message.alreadyOpen);
  else if (!(await openByCode(code))) {
    if (blocker === undefined) keepUnknown(current, scanned);
    say('bad', fill(t().openScan.unknown, { name: code }));
  }
};

let tail: Promise<void> = Promise.resolve();

/** Takes a code. Scans that arrive while one waits for the service are not lost: each waits for the one before. */
export const scan = async (text: string, step: Step): Promise<void> => {
  const scanned = { code: text.trim(), step, at: Date.now() };
  if (scanned.code === '') return;
  waiting.value += 1;
  const before = tail;
  tail = (async () => {
    await before;
    try {
      await handle(scanned);
    } catch (error) {
      // The next scan must work after an error of this one.
      console.error(error);
    } finally {
      waiting.value -= 1;
    }
  })();
  await tail;
};
