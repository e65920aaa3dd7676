import type { Evaluation, Settings } from '../../../../lib/domain/policies/evaluation.ts';
import type { Exemptible, Rule } from '../../../../lib/domain/policies/policy.ts';
import type { FeeType } from '../../../../lib/domain/returns/model/refund.ts';
import { choose, doubtOf, numberOf, rulesWith, type Denial, type Review } from './choose.ts';
import { factsIn, truthOf, type ConditionInput } from './truth.ts';

/** The result for the return as a whole. */
export type Whole = {
  readonly denials: readonly Denial[];
  readonly reviews: readonly Review[];
  /** The phases that an allow list exempts from, and those that one might exempt from. */
  readonly exempt: ReadonlySet<Exemptible>;
  readonly maybeExempt: readonly { readonly phase: Exemptible; readonly doubt: Review }[];
  readonly approval: Evaluation['approval'];
  readonly fees: Evaluation['fees'];
  readonly settings: Settings;
};

const holds = (input: ConditionInput) => (rule: Rule) => truthOf(rule.when, input) === true;
const isUnknown = (input: ConditionInput) => (rule: Rule) => truthOf(rule.when, input) === undefined;

const denialsOf = (rules: readonly Rule[], code: (rule: Rule) => string): readonly Denial[] =>
  rules.map((rule) => ({ phase: numberOf(rule.phase), rule: rule.id, code: code(rule) }));

const reviewsOf = (rules: readonly Rule[], input: ConditionInput): readonly Review[] =>
  rules.map((rule) => doubtOf(rule, input));

const lists = (input: ConditionInput) => {
  const blocks = rulesWith(input.policy, 'block');
  const exempting = rulesWith(input.policy, 'exempts');
  return {
    denials: blocks
      .filter(holds(input))
      .map(({ id, phase, block }) => ({ phase: numberOf(phase), rule: id, code: block })),
    reviews: reviewsOf(blocks.filter(isUnknown(input)), input),
    exempt: new Set(exempting.filter(holds(input)).flatMap(({ exempts }) => exempts)),
    maybeExempt: exempting
      .filter(isUnknown(input))
      .flatMap((rule) => rule.exempts.map((phase) => ({ phase, doubt: doubtOf(rule, input) }))),
  };
};

const limits = (input: ConditionInput, exempt: ReadonlySet<Exemptible>) => {
  const all = rulesWith(input.policy, 'deny').filter(({ phase }) => phase === 'limit' && !exempt.has(phase));
  return {
    denials: denialsOf(all.filter(holds(input)), (rule) => ('deny' in rule ? rule.deny : '')),
    reviews: reviewsOf(all.filter(isUnknown(input)), input),
  };
};

const feeTypes = ['inspection', 'restocking', 'return_shipping', 'promotion'] as const;

/** Returns whether a policy decides a type of fee for each line: one of its rules reads a fact of a line. */
const isOfLine = (type: FeeType, input: ConditionInput): boolean =>
  rulesWith(input.policy, 'fee').some(
    ({ fee, when }) => fee.type === type && factsIn(when, input).some((fact) => fact.startsWith('line.')),
  );

/** Evaluates the fees of a line, or those of the return when the input has no line. */
export const feesOf = (input: ConditionInput) => {
  const types = feeTypes.filter((type) => isOfLine(type, input) === (input.line !== undefined));
  const { currency } = input.facts.order;
  const all = rulesWith(input.policy, 'fee').filter(({ fee: { amount, cap } }) =>
    [amount, cap].every((money) => money === undefined || money.currency === currency),
  );
  const chosen = types.map((type) => ({
    type,
    ...choose(
      all.filter(({ fee }) => fee.type === type),
      input,
    ),
  }));
  return {
    reviews: reviewsOf(
      chosen.flatMap(({ rivals }) => rivals),
      input,
    ),
    fees: Object.fromEntries(
      chosen.flatMap(({ type, chosen: rule }) => {
        if (rule === undefined) return [];
        const { bps, amount, cap } = rule.fee;
        const terms = {
          rule: rule.id,
          ...(bps === undefined ? {} : { bps }),
          ...(amount === undefined ? {} : { amount: amount.amount }),
          ...(cap === undefined ? {} : { cap: cap.amount }),
        };
        return [[type, terms]];
      }),
    ) as Evaluation['fees'],
  };
};

const settings = (input: ConditionInput) => {
  const kinds = ['returnless', 'shipping', 'shipByDays', 'inspection', 'refundTiming'] as const;
  const chosen = kinds.map((kind) => ({ kind, ...choose(rulesWith<string>(input.policy, kind), input) }));
  return {
    reviews: reviewsOf(
      chosen.flatMap(({ rivals }) => rivals),
      input,
    ),
    settings: Object.fromEntries(
      chosen.flatMap(({ kind, chosen: rule }) =>
        rule === undefined ? [] : [[kind, (rule as Readonly<Record<string, unknown>>)[kind]]],
      ),
    ) as Settings,
  };
};

const approvals = (input: ConditionInput) => {
  const all = rulesWith(input.policy, 'approval');
  const saying = (rules: typeof all, approval: string) => rules.filter((rule) => rule.approval === approval);
  const [certain, unknown] = [all.filter(holds(input)), all.filter(isUnknown(input))];
  const rejects = saying(certain, 'reject');
  const isAuto = certain.length > 0 && certain.length === saying(certain, 'auto').length;
  const approval: Evaluation['approval'] =
    rejects.length > 0 ? 'reject' : isAuto && saying(unknown, 'manual').length === 0 ? 'auto' : 'manual';
  return {
    approval,
    denials: denialsOf(rejects, (rule) => ('deny' in rule ? rule.deny : '')),
    reviews: approval === 'reject' ? [] : reviewsOf(saying(unknown, 'reject'), input),
  };
};

/** Evaluates the rules about the whole return. */
export const evaluateWhole = (input: ConditionInput): Whole => {
  const listed = lists(input);
  const limited = limits(input, listed.exempt);
  const charged = feesOf(input);
  const merged = settings(input);
  const approved = approvals(input);
  return {
    denials: [...listed.denials, ...limited.denials, ...approved.denials],
    reviews: [listed, limited, charged, merged, approved].flatMap(({ reviews }) => reviews),
    exempt: listed.exempt,
    maybeExempt: listed.maybeExempt,
    approval: approved.approval,
    fees: charged.fees,
    settings: merged.settings,
  };
};
