import { basisPoints } from '../../money/proration.ts';
import { canonicalJson, sha256Of, sha256 } from '../../returns/history/canonical-json.ts';
import type { Instant, OrderRef } from '../../returns/model/order.ts';
import { sum } from '../../returns/units-by-line.ts';
import type { DecidedFee, Evaluation, LineEvaluation, TraceEntry } from '../evaluation.ts';
import type { Facts } from '../facts.ts';

/** A trace entry with the text of its rule, if the policy has one. */
type ShownEntry = TraceEntry & { readonly text?: string };

/** In characters of JSON. A Lambda response may have 6 MiB, and holds more than the trace. */
const maxCharacters = 2_500_000;

/** Returns as many entries from the start as fit. */
const fitEntries = (entries: readonly ShownEntry[]): readonly ShownEntry[] => {
  let room = maxCharacters;
  const end = entries.findIndex((entry) => {
    room -= JSON.stringify(entry).length;
    return room < 0;
  });
  return end === -1 ? entries : entries.slice(0, end);
};

/**
 * Returns the trace for a response. If it is too large, rules that did not match are removed first. Then as many of the
 * other entries as fit remain.
 */
export const shownTrace = (
  trace: readonly TraceEntry[],
  texts: ReadonlyMap<string, string>,
): { readonly shown: readonly ShownEntry[]; readonly omitted: number } => {
  const entries = trace.map((entry): ShownEntry => {
    const text = texts.get(entry.rule);
    return text === undefined ? entry : { ...entry, text };
  });
  const whole = fitEntries(entries);
  const shown =
    whole.length === entries.length ? whole : fitEntries(entries.filter(({ result }) => result !== 'not_matched'));
  return { shown, omitted: entries.length - shown.length };
};

/** Digests of the facts by part. They detect changed facts, and are short enough for a token. */
export type FactDigests = Readonly<Record<'order' | 'customer' | 'return' | 'lines', string>>;

const digestLength = 16;

const shortDigest = (part: unknown): string => sha256Of(part).slice(0, digestLength);

export const factDigests = ({ order, customer, return: request, lines }: Facts): FactDigests => {
  return {
    order: shortDigest(order),
    customer: shortDigest(customer),
    return: shortDigest(request),
    lines: shortDigest(lines),
  };
};

/** Returns the parts of the facts that have changed. */
export const changedFacts = (before: FactDigests, facts: Facts): readonly (keyof FactDigests)[] => {
  const now = factDigests(facts);
  return (['order', 'customer', 'return', 'lines'] as const).filter((part) => before[part] !== now[part]);
};

/** Returns the restocking fee that a policy sets for goods. */
const restockingFee = (worth: number, { bps = 0, cap }: Pick<DecidedFee, 'bps' | 'cap'> = {}): number => {
  const share = Number(basisPoints(BigInt(worth), bps));
  return Math.min(share, cap ?? share);
};

/**
 * Estimates the refund for the returnable goods of a request, in minor units.
 * It deducts the fees of the policy, without inspection deductions and promotions. The law forbids a restocking fee for lines with a
 * statutory right.
 */
export const refundEstimate = ({ lines, fees, settings }: Evaluation, facts: Facts): number => {
  const open = facts.lines.flatMap(({ value, rights }, index) => {
    const line = lines[index];
    return line?.verdict === 'eligible' ? [{ value, rights, fee: line.fees?.restocking }] : [];
  });
  const worth = sum(open.map(({ value }) => value));
  const { restocking, return_shipping: shipping } = fees;
  const ofLines = sum(open.map(({ value, fee }) => restockingFee(value, fee)));
  const hasRight = open.some(({ rights }) => rights.length > 0);
  const restocked = hasRight ? 0 : restockingFee(worth, restocking) + ofLines;
  const back = settings.returnless === undefined ? (shipping?.amount ?? 0) : 0;
  return Math.max(0, worth - restocked - back);
};

/** The decision of another policy, stored with a decision and without effect. */
export type ShadowDecision = {
  readonly policyId: string;
  readonly version: number;
  readonly revision: number;
  readonly verdict: Evaluation['verdict'];
  readonly lines: readonly Pick<LineEvaluation, 'verdict' | 'code'>[];
  /** The estimated refund, in minor units. */
  readonly refund: number;
};

/**
 * A stored decision. A version never changes, and the same facts have the same result under it. So only the digest of
 * the evaluation is stored, which verifies a repeated evaluation.
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

/** The size of one hashed piece: each hash update costs more than hashing one rule of a trace. */
const pieceLength = 65_536;

/**
 * Yields the RFC 8785 JSON of an evaluation in pieces. The trace of many rules on many lines can exceed the maximum
 * length of a string.
 */
function* jsonPieces({ trace, verdict, ...said }: Evaluation): Generator<string> {
  // In order of their names, as RFC 8785 sorts members: all others precede these two.
  let piece = `${canonicalJson(said).slice(0, -1)},"trace":[`;
  for (const [index, entry] of trace.entries()) {
    piece += `${index === 0 ? '' : ','}${canonicalJson(entry)}`;
    if (piece.length < pieceLength) continue;
    yield piece;
    piece = '';
  }
  yield `${piece}],"verdict":${canonicalJson(verdict)}}`;
}

/** Returns the digest of an evaluation: SHA-256 of its RFC 8785 JSON, with every rule of the trace. */
export const evaluationDigest = (evaluation: Evaluation): string => sha256(jsonPieces(evaluation));
