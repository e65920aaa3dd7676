import type { Terms } from '../../returns/model/terms.ts';
import type { StatutoryRule } from '../law/statutory-rules.ts';
import type { Policy } from '../policy.ts';
import { stateFees, stateWindows } from './choices.ts';
import { unique } from './common-statements.ts';
import { exemptionsIn, stateExamination, stateExclusions, stateRequirements } from './denials.ts';
import { readRules, type Said } from './read-rules.ts';
import { stateResolutions } from './resolutions.ts';
import type { TextScope } from './scope.ts';
import type { PublishedPolicy, Statement } from './statement.ts';

/** The statutory rules and the terms of the deployment. */
export type Surroundings = {
  readonly statutoryRules: readonly StatutoryRule[];
  readonly terms: Pick<Terms, 'fees' | 'floor'>;
};

const stateRight = ({ law, source, claim, window, saleTypes, shipping, exemptions }: StatutoryRule): Statement => ({
  kind: 'right',
  right: { law, source, claim, window, saleTypes, shipping, exemptions: exemptions.map(({ code }) => code) },
});

/** Returns the laws of the country of a scope. */
const lawsOf = ({ country }: TextScope, rules: readonly StatutoryRule[]): readonly StatutoryRule[] =>
  rules.filter(({ countries }) => countries.includes(country));

/**
 * Returns what a customer may rely on under a policy. A statement is made only if no decision refutes it, for all facts
 * that it covers. The rest is omitted.
 */
export const statementsOf = (
  policy: Policy,
  scope: TextScope,
  { statutoryRules, terms }: Surroundings,
): PublishedPolicy => {
  const laws = lawsOf(scope, statutoryRules);
  const read = readRules(policy, scope);
  const { always, exceptOf, omitted } = exemptionsIn(read);
  const rules = read.filter(({ rule }) => !always.has(rule.phase));
  const said: readonly Said[] = [
    { statements: [], omitted },
    stateWindows(rules, scope, exceptOf('window')),
    stateExclusions(rules, exceptOf),
    stateRequirements(rules, exceptOf),
    stateResolutions(rules),
    ...stateFees(rules, laws, terms),
    { statements: laws.map(stateRight), omitted: [] },
    stateExamination(rules),
  ];
  return {
    statements: unique(said.flatMap(({ statements }) => statements)),
    omitted: unique(said.flatMap((part) => part.omitted)),
  };
};
