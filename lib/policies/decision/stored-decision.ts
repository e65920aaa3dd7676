import { basisPoints } from '../../money/proration.ts';
import { canonicalJson, sha256Of } from '../../returns/history/canonical-json.ts';
import { sha256 } from '../../returns/history/sha256.ts';
import type { Instant, OrderRef } from '../../returns/model/order.ts';
import { sum } from '../../returns/units-by-line.ts';
import type { Evaluation, LineEvaluation, TraceEntry } from '../evaluation.ts';
import type { Facts } from '../facts.ts';

/** An entry with the text of its rule, where a policy has one. */
type ShownEntry = TraceEntry & { readonly text?: string };

/** Characters of JSON: an answer of Lambda may have 6 MiB, and says more than its trace. */
const maxCharacters = 2_500_000;

/** As many entries from the first as there is room for. */
const fitEntries = (entries: readonly ShownEntry[]): readonly ShownEntry[] => {
  let room = maxCharacters;
  const end = entries.findIndex((entry) => {
    room -= JSON.stringify(entry).length;
    return room < 0;
  });
  return end === -1 ? entries : entries.slice(0, end);
};

/**
 * A trace as it is shown: all of it, or where that is more than an answer can carry, first without rules that did not
 * match, and of the rest as much as there is room for.
 */
export const shownTrace = (
  trace: readonly TraceEntry[],
  texts: ReadonlyMap<string, string>,
): { readonly shown: readonly ShownEntry[]; readonly omitted: number } => {
  const all = trace.map((entry): ShownEntry => {
    const text = texts.get(entry.rule);
    return text === undefined ? entry : { ...entry, text };
  });
  const whole = fitEntries(all);
  const shown = whole.length === all.length ? whole : fitEntries(all.filter(({ result }) => result !== 'not_matched'));
  return { shown, omitted: all.length - shown.length };
};

/** What tells the facts of one time from those of another, part by part: short, so that a token holds it. */
export type FactDigests = Readonly<Record<'order' | 'customer' | 'return' | 'lines', string>>;

const digestLength = 16;

const shortDigest = (part: unknown): string => sha256Of(part).slice(0, digestLength);

export const factDigests = ({ order, customer, return: asked, lines }: Facts): FactDigests => {
  return {
    order: shortDigest(order),
    customer: shortDigest(customer),
    return: shortDigest(asked),
    lines: shortDigest(lines),
  };
};

/** The parts of the facts that are others than they were. */
export const changedFacts = (before: FactDigests, facts: Facts): readonly (keyof FactDigests)[] => {
  const now = factDigests(facts);
  return (['order', 'customer', 'return', 'lines'] as const).filter((part) => before[part] !== now[part]);
};

/**
 * What would be paid for the goods of a request if somebody sent back what may come back, in minor units: less the fees
 * that its policy takes, but for what inspections find. No law lets restocking be taken of those who have a right.
 */
export const refundEstimate = ({ lines, fees, settings }: Evaluation, facts: Facts): number => {
  const open = facts.lines.filter((_, index) => lines[index]?.verdict === 'eligible');
  const worth = sum(open.map(({ value }) => value));
  const { restocking, return_shipping: shipping } = fees;
  const hasRight = open.some(({ rights }) => rights.length > 0);
  const share = restocking === undefined || hasRight ? 0 : Number(basisPoints(BigInt(worth), restocking.bps ?? 0));
  const back = settings.returnless === undefined ? (shipping?.amount ?? 0) : 0;
  return Math.max(0, worth - Math.min(share, restocking?.cap ?? share) - back);
};

/** What another policy would have decided, noted beside a decision and without effect. */
export type ShadowDecision = {
  readonly policyId: string;
  readonly version: number;
  readonly revision: number;
  readonly verdict: Evaluation['verdict'];
  readonly lines: readonly Pick<LineEvaluation, 'verdict' | 'code'>[];
  /** What would be paid, in minor units. */
  readonly refund: number;
};

/**
 * A decision as it is kept. What a version says never changes, and the same facts under it come to the same: so the
 * evaluation need not be kept but by its digest, which tells that it is the same when it is made again.
 */
export type StoredDecision = {
  readonly id: string;
  readonly at: Instant;
  readonly order: OrderRef;
  readonly returnId: string;
  readonly policyId: string;
  readonly version: number;
  readonly facts: Facts;
  readonly digest: string;
  readonly shadow?: ShadowDecision;
};

/** So much text is hashed at a time: to begin costs more than to hash one rule of a trace. */
const pieceLength = 65_536;

/** The RFC 8785 JSON of an evaluation in pieces: the trace of many rules on many lines is longer than one text can be. */
function* jsonPieces({ trace, verdict, ...said }: Evaluation): Generator<string> {
  // By their names, as RFC 8785 sorts them: all others come before these two.
  let piece = `${canonicalJson(said).slice(0, -1)},"trace":[`;
  for (const [index, entry] of trace.entries()) {
    piece += `${index === 0 ? '' : ','}${canonicalJson(entry)}`;
    if (piece.length < pieceLength) continue;
    yield piece;
    piece = '';
  }
  yield `${piece}],"verdict":${canonicalJson(verdict)}}`;
}

/** What tells one evaluation from another: SHA-256 of its RFC 8785 JSON, every rule of the trace in it. */
export const evaluationDigest = (evaluation: Evaluation): string => sha256(jsonPieces(evaluation));
