import { Engine, type NestedCondition, type TopLevelCondition } from 'json-rules-engine';
import { LogicEngine } from 'json-logic-engine';
import { compilePolicy } from '../../../lib/domain/policies/evaluate/compile.ts';
import { evaluate } from '../../../lib/domain/policies/evaluate/evaluate.ts';
import type { Evaluation } from '../../../lib/domain/policies/evaluation.ts';
import type { Condition, Rule } from '../../../lib/domain/policies/policy.ts';
import type { BenchRequest } from './requests.ts';
import { policy } from './rules.ts';

type Verdict = Evaluation['verdict'];

/** Decides on a request, with a prepared policy. */
export type Decide = (request: BenchRequest) => Verdict | Promise<Verdict>;

const lacks = { note: 'line.hasNote', evidence: 'line.hasEvidence' } as const;

/** Returns the effect of a rule, and the further condition under which it denies a line, in plain conditions. */
const effectOf = (rule: Rule): readonly [outcome: string, ...also: readonly Condition[]] => {
  if ('window' in rule) return ['deny', { fact: `over.${rule.id}`, op: 'eq', value: true }];
  if ('resolutions' in rule) return ['deny', { fact: 'line.resolution', op: 'notIn', value: rule.resolutions }];
  if ('require' in rule)
    return ['review', { or: rule.require.map((one) => ({ fact: lacks[one], op: 'eq', value: false })) }];
  return ['approval' in rule && rule.approval !== 'reject' ? rule.approval : 'deny'];
};

/** The rules in terms that every engine of conditions supports: all conditions of a rule must match. */
const rules = policy.rules.map((rule) => {
  const [outcome, ...also] = effectOf(rule);
  return { id: rule.id, outcome, when: [...(rule.when === undefined ? [] : [rule.when]), ...also] };
});

/** Returns the verdict of these outcomes. */
const verdictFrom = (outcomes: ReadonlySet<string>): Verdict => {
  if (outcomes.has('deny')) return 'rejected';
  if (outcomes.has('review')) return 'needs_review';
  return outcomes.has('auto') && !outcomes.has('manual') ? 'approved' : 'needs_review';
};

const ours = (): Decide => {
  const compiled = compilePolicy(policy);
  return ({ ours: facts }) => evaluate(compiled, facts).verdict;
};

const operators = { eq: 'equal', in: 'in', notIn: 'notIn', gte: 'greaterThanInclusive' } as const;

const toRule = (condition: Condition): NestedCondition => {
  if ('and' in condition) return { all: condition.and.map(toRule) };
  if ('or' in condition) return { any: condition.or.map(toRule) };
  if ('not' in condition) return { not: toRule(condition.not) };
  if ('use' in condition) throw new Error('the policy of the bench names no conditions');
  const [fact = '', path = ''] = condition.fact.split('.');
  const at = (operator: string, value: unknown) => ({ fact, path: `$.${path}`, operator, value });
  if (condition.op === 'hasAny') return { any: condition.value.map((value) => at('contains', value)) };
  if (condition.op in operators) return at(operators[condition.op as keyof typeof operators], condition.value);
  throw new Error(`the policy of the bench has no ${condition.op}`);
};

const jsonRulesEngine = (): Decide => {
  const engine = new Engine();
  for (const { id, outcome, when } of rules) {
    const conditions: TopLevelCondition = { all: when.map(toRule) };
    engine.addRule({ name: id, conditions, event: { type: outcome, params: { rule: id } } });
  }
  return async ({ alternatives }) => {
    const { events } = await engine.run({ ...alternatives });
    return verdictFrom(new Set(events.map(({ type }) => type)));
  };
};

type Logic = object | string | number | boolean;

const toLogic = (condition: Condition): Logic => {
  if ('and' in condition) return { and: condition.and.map(toLogic) };
  if ('or' in condition) return { or: condition.or.map(toLogic) };
  if ('not' in condition) return { '!': [toLogic(condition.not)] };
  if ('use' in condition) throw new Error('the policy of the bench names no conditions');
  const fact = { var: condition.fact };
  if (condition.op === 'hasAny') return { or: condition.value.map((value) => ({ in: [value, fact] })) };
  if (condition.op === 'eq') return { '===': [fact, condition.value] };
  if (condition.op === 'gte') return { '>=': [fact, Number(condition.value)] };
  if (condition.op === 'in') return { in: [fact, { preserve: condition.value }] };
  if (condition.op === 'notIn') return { '!': [{ in: [fact, { preserve: condition.value }] }] };
  throw new Error(`the policy of the bench has no ${condition.op}`);
};

const jsonLogicEngine = (): Decide => {
  // Evaluates all rules, as the others do. An end at the first denial would be another task.
  const decide = new LogicEngine().build(rules.map(({ when }) => ({ and: when.map(toLogic) }))) as (
    facts: object,
  ) => readonly boolean[];
  return ({ alternatives }) => {
    const holds = decide(alternatives);
    return verdictFrom(new Set(rules.filter((_, index) => holds[index]).map(({ outcome }) => outcome)));
  };
};

/** The same policy in each engine. Ours returns the reasons, the others the matching rules. */
export const candidates = {
  ours,
  'json-rules-engine': jsonRulesEngine,
  'json-logic-engine': jsonLogicEngine,
} as const satisfies Record<string, () => Decide>;
