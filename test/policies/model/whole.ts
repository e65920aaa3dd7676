import type { Evaluation, Settings } from '../../../lib/policies/evaluation.ts';
import type { Exemptible, Rule } from '../../../lib/policies/policy.ts';
import { choose, doubtOf, numberOf, rulesWith, type Denial, type Review } from './choose.ts';
import { truthOf, type Asked } from './truth.ts';

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

const holds = (asked: Asked) => (rule: Rule) => truthOf(rule.when, asked) === true;
const isUnknown = (asked: Asked) => (rule: Rule) => truthOf(rule.when, asked) === undefined;

const denialsOf = (rules: readonly Rule[], code: (rule: Rule) => string): readonly Denial[] =>
  rules.map((rule) => ({ phase: numberOf(rule.phase), rule: rule.id, code: code(rule) }));

const reviewsOf = (rules: readonly Rule[], asked: Asked): readonly Review[] =>
  rules.map((rule) => doubtOf(rule, asked));

const lists = (asked: Asked) => {
  const blocks = rulesWith(asked.policy, 'block');
  const exempting = rulesWith(asked.policy, 'exempts');
  return {
    denials: blocks
      .filter(holds(asked))
      .map(({ id, phase, block }) => ({ phase: numberOf(phase), rule: id, code: block })),
    reviews: reviewsOf(blocks.filter(isUnknown(asked)), asked),
    exempt: new Set(exempting.filter(holds(asked)).flatMap(({ exempts }) => exempts)),
    maybeExempt: exempting
      .filter(isUnknown(asked))
      .flatMap((rule) => rule.exempts.map((phase) => ({ phase, doubt: doubtOf(rule, asked) }))),
  };
};

const limits = (asked: Asked, exempt: ReadonlySet<Exemptible>) => {
  const all = rulesWith(asked.policy, 'deny').filter(({ phase }) => phase === 'limit' && !exempt.has(phase));
  return {
    denials: denialsOf(all.filter(holds(asked)), (rule) => ('deny' in rule ? rule.deny : '')),
    reviews: reviewsOf(all.filter(isUnknown(asked)), asked),
  };
};

const fees = (asked: Asked) => {
  const { currency } = asked.facts.order;
  const all = rulesWith(asked.policy, 'fee').filter(({ fee: { amount, cap } }) =>
    [amount, cap].every((money) => money === undefined || money.currency === currency),
  );
  const chosen = (['inspection', 'restocking', 'return_shipping'] as const).map((type) => ({
    type,
    ...choose(
      all.filter(({ fee }) => fee.type === type),
      asked,
    ),
  }));
  return {
    reviews: reviewsOf(
      chosen.flatMap(({ rivals }) => rivals),
      asked,
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

const settings = (asked: Asked) => {
  const kinds = ['returnless', 'shipping', 'shipByDays', 'inspection', 'refundTiming'] as const;
  const chosen = kinds.map((kind) => ({ kind, ...choose(rulesWith<string>(asked.policy, kind), asked) }));
  return {
    reviews: reviewsOf(
      chosen.flatMap(({ rivals }) => rivals),
      asked,
    ),
    settings: Object.fromEntries(
      chosen.flatMap(({ kind, chosen: rule }) =>
        rule === undefined ? [] : [[kind, (rule as Readonly<Record<string, unknown>>)[kind]]],
      ),
    ) as Settings,
  };
};

const approvals = (asked: Asked) => {
  const all = rulesWith(asked.policy, 'approval');
  const saying = (rules: typeof all, approval: string) => rules.filter((rule) => rule.approval === approval);
  const [certain, unknown] = [all.filter(holds(asked)), all.filter(isUnknown(asked))];
  const rejects = saying(certain, 'reject');
  const isAuto = certain.length > 0 && certain.length === saying(certain, 'auto').length;
  const approval: Evaluation['approval'] =
    rejects.length > 0 ? 'reject' : isAuto && saying(unknown, 'manual').length === 0 ? 'auto' : 'manual';
  return {
    approval,
    denials: denialsOf(rejects, (rule) => ('deny' in rule ? rule.deny : '')),
    reviews: approval === 'reject' ? [] : reviewsOf(saying(unknown, 'reject'), asked),
  };
};

/** Evaluates the rules about the whole return. */
export const judgeWhole = (asked: Asked): Whole => {
  const listed = lists(asked);
  const limited = limits(asked, listed.exempt);
  const charged = fees(asked);
  const settled = settings(asked);
  const approved = approvals(asked);
  return {
    denials: [...listed.denials, ...limited.denials, ...approved.denials],
    reviews: [listed, limited, charged, settled, approved].flatMap(({ reviews }) => reviews),
    exempt: listed.exempt,
    maybeExempt: listed.maybeExempt,
    approval: approved.approval,
    fees: charged.fees,
    settings: settled.settings,
  };
};
