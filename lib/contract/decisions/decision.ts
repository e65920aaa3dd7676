import Type from 'typebox';
import { FeeType } from '../returns/refund.ts';
import { about, closed, id, Instant, oneOf, OrderRef, text, Sha256Hex } from '../scalars.ts';

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

const decidedFee = {
  type: about(FeeType, 'The type of the fee.'),
  rule: about(text(100), 'The id of the rule that sets the fee.'),
  bps: optional(
    about(
      Bps,
      'The fee in basis points of the value of the goods. For `inspection`, the most that inspections deduct. Absent for a flat fee.',
    ),
  ),
  amount: optional(
    about(Amount, 'The flat fee, in minor units of the currency of the order. Absent for a fee in basis points.'),
  ),
  cap: optional(
    about(Amount, 'The highest fee, in minor units of the currency of the order. Absent where there is no limit.'),
  ),
};

const DecidedFee = closed(decidedFee, { $id: 'DecidedFee', description: 'A fee that a policy sets.' });

const RemovedFee = closed(
  {
    ...decidedFee,
    law: about(text(500), 'The laws that protect the return, such as `EU 2011/83`, separated by commas.'),
  },
  { $id: 'RemovedFee', description: 'A fee that a policy sets and the law removes.' },
);

const DecidedLine = closed(
  {
    orderLineId: about(text(200), 'The id of the line in the order.'),
    verdict: about(LineVerdict, 'The verdict on the line. `needs_review`: a person must decide.'),
    code: optional(about(text(100), 'The first of `codes`. Absent for an eligible line.')),
    codes: about(list(text(100)), 'The reasons for the verdict. Empty for an eligible line.'),
    missing: about(list(FactName), 'The names of the unknown facts that the verdict depends on.'),
    returnableUntil: optional(
      about(Instant, 'The end of the window in which the line may be returned. Absent where no window applies.'),
    ),
    resolutions: about(list(text(50)), 'The resolutions that the policy allows for the line.'),
    right: optional(
      about(
        text(200),
        'The law that makes the verdict better than the policy alone, such as `EU 2011/83`. Absent where no law does.',
      ),
    ),
    fees: optional(
      about(list(DecidedFee), 'The fees that rules on facts of a line set for it, one of each type. Absent for none.'),
    ),
    removedFees: optional(
      about(list(RemovedFee), 'The fees of the line that the law removes. They are not in `fees`. Absent for none.'),
    ),
  },
  { $id: 'DecidedLine', description: 'The result of a policy for one line.' },
);

const TraceEntry = closed(
  {
    phase: about(
      oneOf(
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
      'The phase of the evaluation. `facts`, `floor` and `integrity` have rules of the service, the others those of the policy.',
    ),
    rule: about(text(200), 'The id of the rule.'),
    text: optional(about(text(1000), 'The text of the rule. Absent for a rule of the service.')),
    line: optional(
      about(
        Type.Integer({ minimum: 0 }),
        'The position of the line in the request, from 0. Absent for a rule about the whole return.',
      ),
    ),
    result: about(
      oneOf('matched', 'not_matched', 'unknown', 'skipped'),
      'The result of the condition. `unknown`: a fact is missing. `skipped`: an allow list exempts the return from the rule, or the rule reads the conduct of the customer and a line has a statutory right.',
    ),
    inputs: about(
      Type.Record(Type.String(), FactValue),
      'The facts that the rule read, by name. null for an unknown fact.',
    ),
    effect: optional(
      about(
        Type.Record(Type.String(), Type.Unknown()),
        'The effect of a rule that matched. Of a rule with the result `unknown`, the effect that it could have.',
      ),
    ),
    overruledBy: optional(
      about(text(100), 'The id of the rule that applies in place of this one. Absent where there is none.'),
    ),
  },
  { $id: 'TraceEntry', description: 'The evaluation of one rule, for one line or for the whole return.' },
);

const FactChange = closed({
  fact: about(FactName, 'The name of the fact.'),
  is: about(FactValue, 'The value of the fact in this decision.'),
  op: about(
    oneOf('eq', 'neq', 'notIn', 'lt', 'lte', 'gt', 'gte', 'hasNone'),
    'The comparison with `value` that must be true. `hasNone`: the fact contains no item of `value`.',
  ),
  value: about(FactValue, 'The value to compare the fact with.'),
});

const Counterfactual = closed(
  {
    line: about(Type.Integer({ minimum: 0 }), 'The position of the line in the request, from 0.'),
    changes: about(list(FactChange), 'The facts that must be different, all of them together.'),
    verdict: about(LineVerdict, 'The verdict on the line after these changes.'),
  },
  { $id: 'Counterfactual', description: 'Changes of facts that lead to a better verdict on a line.' },
);

const decision = {
  policyId: about(id('pol'), 'The id of the policy that decided.'),
  policyVersion: about(text(100), 'The version of the policy that decided: `<policyId>/<number>`.'),
  verdict: about(Verdict, 'The verdict on the whole request. `needs_review`: a person must decide.'),
  approval: about(
    oneOf('auto', 'manual', 'reject'),
    'The strictest result of the approval rules that apply. `manual` where no approval rule applies.',
  ),
  lines: about(list(DecidedLine), 'The result for each line, in the order of the request.'),
  fees: about(list(DecidedFee), 'The fees of the whole return, one of each type.'),
  removedFees: optional(
    about(
      list(RemovedFee),
      'The fees of the whole return that the law removes. They are not in `fees`. Absent for none.',
    ),
  ),
  settings: about(
    Type.Record(Type.String(), Type.Unknown()),
    'The other terms that the policy sets, if any: `returnless`, `shipping`, `shipByDays`, `inspection` and `refundTiming`.',
  ),
  explanation: about(
    list(text(10_000)),
    'The decision in sentences for the customer, in the language of the response: return, lines, fees, approval.',
  ),
  counterfactuals: about(
    list(Counterfactual),
    'Changes that lead to a better verdict, for lines that are not eligible. The service tries a limited number.',
  ),
  trace: about(list(TraceEntry), 'The evaluation of every rule, in the order of the phases.'),
  omitted: optional(
    about(
      Type.Integer({ minimum: 1 }),
      'The number of trace entries that exceed the size of the response. Rules that did not match are omitted first. Absent where the trace is complete.',
    ),
  ),
  facts: about(
    Type.Record(Type.String(), Type.Unknown()),
    'All facts that the decision is based on. They contain no personal data.',
  ),
  factsHash: about(Sha256Hex, 'The SHA-256 hash of `facts` as RFC 8785 JSON.'),
  digest: about(Sha256Hex, 'The SHA-256 hash of the evaluation with its complete trace, as RFC 8785 JSON.'),
};

export const ProspectiveDecision = closed(decision, {
  $id: 'ProspectiveDecision',
  description: 'The decision of a policy on a return that was not requested yet.',
});

const ShadowLine = closed({
  verdict: about(LineVerdict, 'The verdict of the draft on the line.'),
  code: optional(about(text(100), 'The first reason for the verdict. Absent for an eligible line.')),
});

const ShadowDecision = closed(
  {
    policyId: about(id('pol'), 'The id of the policy of the draft.'),
    version: about(Type.Integer({ minimum: 1 }), 'The number of the draft.'),
    revision: about(Type.Integer({ minimum: 1 }), 'The revision of the draft that was evaluated.'),
    verdict: about(Verdict, 'The verdict of the draft on the whole request.'),
    lines: about(list(ShadowLine), 'The result of the draft for each line, in the order of the request.'),
    refund: about(
      Amount,
      'The estimated refund for the goods under the draft, less fees, in minor units of the currency of the order.',
    ),
  },
  { $id: 'ShadowDecision', description: 'The result of a shadowed draft for the same request, without effect.' },
);

export const Decision = closed(
  {
    decisionId: about(id('dec'), 'The id of the decision.'),
    at: about(Instant, 'When the policy decided.'),
    returnId: about(id('ret'), 'The id of the return.'),
    order: about(closed(OrderRef), 'The order of the return.'),
    ...decision,
    reproduced: about(
      Type.Boolean(),
      'Whether the same version gives the same result for the stored facts at this read.',
    ),
    shadow: optional(
      about(ShadowDecision, 'The result of the draft that was shadowed. Absent where there was no such draft.'),
    ),
  },
  { $id: 'Decision', description: 'The decision of a policy on a return.' },
);

export const DecisionPath = closed({ decisionId: id('dec') });
