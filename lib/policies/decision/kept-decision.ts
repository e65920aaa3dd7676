import { canonicalJson } from '../../returns/history/canonical-json.ts';
import { sha256 } from '../../returns/history/sha256.ts';
import type { Instant, OrderRef } from '../../returns/model/order.ts';
import type { Evaluation, LineEvaluation } from '../evaluation.ts';
import type { Facts } from '../facts.ts';

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
export type KeptDecision = {
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
function* piecesOf({ trace, verdict, ...said }: Evaluation): Generator<string> {
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
export const digestOf = (evaluation: Evaluation): string => sha256(piecesOf(evaluation));
