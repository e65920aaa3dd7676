import type { Terms } from '../../returns/model/terms.ts';
import type { Evaluation } from '../evaluation.ts';
import type { Facts } from '../facts.ts';
import { allowedFees, betterShipping } from './statutory-floor.ts';
import type { StatutoryRule } from './statutory-rule.ts';

/**
 * What a policy says, without the fees that a law forbids and with the shipping that a law gives: what the terms of a
 * return are made of. The trace keeps what each rule said.
 *
 * @param given the floor of the deployment's own
 */
export const lawful = (
  evaluation: Evaluation,
  { lines }: Pick<Facts, 'lines'>,
  rules: readonly StatutoryRule[],
  given: Terms['floor'],
): Evaluation => {
  const laws = new Set(lines.flatMap(({ rights }) => rights.map(({ law }) => law)));
  const holding = rules.filter(({ law }) => laws.has(law));
  if (holding.length === 0 && given === null) return evaluation;
  const allowed: ReadonlySet<string> = new Set(allowedFees(given, holding));
  const { shipping } = evaluation.settings;
  return {
    ...evaluation,
    fees: Object.fromEntries(Object.entries(evaluation.fees).filter(([type]) => allowed.has(type))),
    settings: {
      ...evaluation.settings,
      ...(shipping === undefined ? {} : { shipping: betterShipping(shipping, holding) }),
    },
  };
};
