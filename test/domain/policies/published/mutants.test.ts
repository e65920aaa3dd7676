import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Facts } from '../../../../lib/domain/policies/facts.ts';
import { statutoryRules } from '../../../../lib/domain/policies/law/statutory-rules.ts';
import type { Policy } from '../../../../lib/domain/policies/policy.ts';
import type { TextScope } from '../../../../lib/domain/policies/published/scope.ts';
import type { Statement } from '../../../../lib/domain/policies/published/statement.ts';
import { statementsOf } from '../../../../lib/domain/policies/published/statements.ts';
import { defaultTerms } from '../../../../lib/domain/policies/terms/policy-terms.ts';
import { runs } from '../../../support/samples.ts';
import { type Case, cases } from './generate.ts';
import { mutantsOf } from './mutate.ts';
import { chargedFee, compare, coverage, decide, isExactFor } from './refutations.ts';

const statementsFor = (policy: Policy, scope: TextScope) =>
  statementsOf(policy, scope, { statutoryRules, terms: defaultTerms }).statements;

const feeTypes = ['restocking', 'return_shipping', 'inspection', 'promotion'] as const;

const hasGrace = ({ rules }: Policy) => rules.some((rule) => 'window' in rule && rule.window.graceDays !== undefined);

/**
 * Returns what a decision tells the customer of a line, as far as statements cover it. It is undefined where a fact is
 * missing.
 */
const outcome = (policy: Policy, facts: Facts, index: number, statements: readonly Statement[]): string | undefined => {
  const line = facts.lines[index];
  const decision = decide(policy, facts);
  const decided = decision.lines[index];
  if (line === undefined || decided === undefined) return undefined;
  if (decided.missing.length > 0) return undefined;
  const covering = statements.filter((statement) => coverage(statement, { policy, facts, line }) === true);
  const has = (kind: Statement['kind']) => covering.some((one) => one.kind === kind && !('more' in one));
  const isWhole = has('window') && has('resolutions');
  return JSON.stringify([
    isWhole && decided.verdict === 'eligible',
    has('window') && decided.returnableUntil,
    has('resolutions') && decided.resolutions,
    ...feeTypes.map((type) => {
      if (!covering.some((one) => one.kind === 'fee' && one.fee.type === type)) return 'not covered';
      const { bps = 0, amount = 0, cap, ...fee } = chargedFee({ type }, { decision, index }) ?? {};
      if (type === 'promotion') return 'rule' in fee;
      return cap === 0 || bps + amount === 0 ? 0 : [bps, amount, cap];
    }),
  ]);
};

/** Returns whether two policies decide differently where the text of the first one says everything. */
const differ = (
  [policy, mutant]: readonly [Policy, Policy],
  statements: readonly Statement[],
  { scope, facts }: Pick<Case, 'scope'> & { readonly facts: Facts },
): boolean => {
  if (hasGrace(policy) || hasGrace(mutant)) return false;
  return facts.lines.some((line, index) => {
    const [before, after] = [policy, mutant].map((one) => outcome(one, facts, index, statements));
    if (before === undefined || after === undefined || before === after) return false;
    return [policy, mutant].every((one) => isExactFor(one, scope, facts, line));
  });
};

/** Returns the same request without statutory rights, so that the policy decides alone. */
const withoutRights = (facts: Facts): Facts => ({
  ...facts,
  lines: facts.lines.map((line) => ({ ...line, rights: [] })),
});

describe('a text of a policy of which one rule has changed', () => {
  it('changes wherever a decision does', () => {
    const kinds = new Set<string>();
    let differing = 0;
    let refuted = 0;
    fc.assert(
      fc.property(cases, ({ policy, scope, requests }) => {
        const before = statementsFor(policy, scope);
        const free = requests.map(withoutRights);
        for (const { mutation, rule, policy: mutant } of mutantsOf(policy)) {
          const facts = free.find((one) => differ([policy, mutant], before, { scope, facts: one }));
          if (facts === undefined) continue;
          expect(statementsFor(mutant, scope), `${mutation} in ${rule.id}`).not.toEqual(before);
          kinds.add(mutation);
          differing += 1;
          refuted += Number(compare(before, mutant, scope, facts).refutations.length > 0);
        }
      }),
      { numRuns: runs(500, 3), seed: 20261130 },
    );
    expect(differing).toBeGreaterThan(200);
    expect(refuted).toBeGreaterThan(differing / 2);
    expect(kinds.size).toBeGreaterThan(12);
  });
});
