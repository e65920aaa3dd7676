import type { Policy } from '../policy.ts';
import { amountsWithoutCurrency } from './amounts-without-currency.ts';
import { comparedRules } from './compared-rules.ts';
import type { Finding } from './finding.ts';
import { flatFees } from './flat-fees.ts';
import { placedRules } from './placed-rule.ts';
import { redundantRules } from './redundant-rules.ts';
import { statutoryWindows } from './statutory-windows.ts';
import { unknownWords } from './vocabulary.ts';

const noApproval: Finding = {
  code: 'no_approval',
  severity: 'error',
  path: '/rules',
  message: 'must say somewhere whether returns are approved, by a rule of phase approval',
};

/**
 * What is probably not meant in a policy that can be evaluated: rules that never do anything, that another makes needless,
 * that are against each other or against the law, amounts without a currency, and words that nobody uses. The same policy has the same findings, in the same order.
 *
 * What is not plain is not found: of a condition that can be true in very many ways nothing is said but its words.
 *
 * @param policy one without faults (`policyFaults`)
 * @param known the reasons that a line may have
 */
export const lint = (policy: Policy, known: { readonly reasons: ReadonlySet<string> }): readonly Finding[] => {
  const rules = placedRules(policy);
  const compared = comparedRules(rules);
  return [
    ...compared,
    ...redundantRules(rules, compared),
    ...amountsWithoutCurrency(rules, policy.conditions),
    ...statutoryWindows(rules, policy.selectors),
    ...flatFees(rules),
    ...unknownWords(policy, known.reasons),
    ...(policy.rules.some(({ phase }) => phase === 'approval') ? [] : [noApproval]),
  ];
};
