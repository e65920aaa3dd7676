import Type from 'typebox';
import { FeeType } from '../returns/refund.ts';
import { closed, id, Instant, oneOf, OrderRef, text, Sha256Hex } from '../scalars.ts';

const { Optional: optional, Array: list } = Type;

const Verdict = oneOf('approved', 'rejected', 'needs_review');
const LineVerdict = oneOf('eligible', 'needs_review', 'ineligible');
const Amount = Type.Integer({ minimum: 0 });
const Bps = Type.Integer({ minimum: 0, maximum: 10_000 });
const FactName = text(100);
const FactValue = Type.Union([
  Type.String(),
  Type.Number(),
  Type.Boolean(),
  list(Type.Union([Type.String(), Type.Number()])),
  Type.Null(),
]);

/** What a policy says of one line. `right` is the law that counts for the customer whatever the policy says. */
const DecidedLine = closed(
  {
    orderLineId: text(200),
    verdict: LineVerdict,
    code: optional(text(100)),
    codes: list(text(100)),
    /** Names of facts that are not known. */
    missing: list(FactName),
    returnableUntil: optional(Instant),
    resolutions: list(text(50)),
    right: optional(text(200)),
  },
  { $id: 'DecidedLine' },
);

const DecidedFee = closed(
  { type: FeeType, rule: text(100), bps: optional(Bps), amount: optional(Amount), cap: optional(Amount) },
  { $id: 'DecidedFee' },
);

/**
 * One rule: for a line, by its place in the request from 0, or for the whole. `inputs` are the facts that it looked at,
 * `null` for what is not known; `effect` is what it did, `overruledBy` the rule that was chosen in its place.
 */
const TraceEntry = closed(
  {
    phase: oneOf(
      'facts',
      'floor',
      'integrity',
      'list',
      'exclusion',
      'window',
      'requirement',
      'limit',
      'resolution',
      'fee',
      'logistics',
      'settlement',
      'approval',
    ),
    rule: text(200),
    text: optional(text(1000)),
    line: optional(Type.Integer({ minimum: 0 })),
    result: oneOf('matched', 'not_matched', 'unknown', 'skipped'),
    inputs: Type.Record(Type.String(), FactValue),
    effect: optional(Type.Record(Type.String(), Type.Unknown())),
    overruledBy: optional(text(100)),
  },
  { $id: 'TraceEntry' },
);

/** Facts as they would have had to be, and what the policy would say of the line then. */
const Counterfactual = closed(
  {
    line: Type.Integer({ minimum: 0 }),
    changes: list(
      closed({
        fact: FactName,
        is: FactValue,
        op: oneOf('eq', 'neq', 'notIn', 'lt', 'lte', 'gt', 'gte', 'hasNone'),
        value: FactValue,
      }),
    ),
    verdict: LineVerdict,
  },
  { $id: 'Counterfactual' },
);

const decision = {
  policyId: id('pol'),
  /** The version of the policy that decided: `<policyId>/<number>`. */
  policyVersion: text(100),
  verdict: Verdict,
  approval: oneOf('auto', 'manual', 'reject'),
  lines: list(DecidedLine),
  fees: list(DecidedFee),
  /** What the policy settles beside fees: what stays with the customer, shipping, inspection, when money goes back. */
  settings: Type.Record(Type.String(), Type.Unknown()),
  /** In sentences for the customer, in the language of the answer: of the return, of each line, of fees, of the approval. */
  explanation: list(text(10_000)),
  counterfactuals: list(Counterfactual),
  /** Every rule, in the order of the phases. */
  trace: list(TraceEntry),
  /** How many entries of the trace are left out, of rules that did not match first: an answer has its limits. */
  omitted: optional(Type.Integer({ minimum: 1 })),
  /** All that it rests on; nothing of it is personal. */
  facts: Type.Record(Type.String(), Type.Unknown()),
  /** SHA-256 of the RFC 8785 JSON of the facts, and of the evaluation with its whole trace. */
  factsHash: Sha256Hex,
  digest: Sha256Hex,
};

/** What a policy decided on a request that was not made yet. */
export const ProspectiveDecision = closed(decision, { $id: 'ProspectiveDecision' });

const ShadowDecision = closed(
  {
    policyId: id('pol'),
    version: Type.Integer({ minimum: 1 }),
    revision: Type.Integer({ minimum: 1 }),
    verdict: Verdict,
    lines: list(closed({ verdict: LineVerdict, code: optional(text(100)) })),
    refund: Amount,
  },
  { $id: 'ShadowDecision' },
);

/**
 * A decision on a return. `reproduced`: the facts under that version came to the very same again when they were read;
 * `shadow`: what a draft would have decided that was evaluated beside it, without effect.
 */
export const Decision = closed(
  {
    decisionId: id('dec'),
    at: Instant,
    returnId: id('ret'),
    order: closed(OrderRef),
    ...decision,
    reproduced: Type.Boolean(),
    shadow: optional(ShadowDecision),
  },
  { $id: 'Decision' },
);

export const DecisionPath = closed({ decisionId: id('dec') });
