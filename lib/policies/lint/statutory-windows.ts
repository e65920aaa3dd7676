import type { Selectors } from '../policy.ts';
import type { StatutoryRule } from '../law/statutory-rule.ts';
import { statutoryRules } from '../law/statutory-rules.ts';
import { canMeet, given } from './cases.ts';
import type { Finding } from './finding.ts';
import { literal } from './literal.ts';
import type { PlacedRule } from './placed-rule.ts';

const daysOf = ({ window }: StatutoryRule): number =>
  window !== null && 'days' in window.within ? window.within.days : 0;

/** Whether a rule can hold for a sale that the law is about. Who is not known to be no consumer is one. */
const canConcern = (
  { cases }: PlacedRule,
  law: StatutoryRule,
  countries: readonly string[] = law.countries,
): boolean => {
  const served = law.countries.filter((country) => countries.includes(country));
  const sale = given(
    literal('order.country', 'in', served),
    literal('order.saleType', 'in', law.saleTypes),
    literal('order.buyerIsConsumer', 'in', [true]),
  );
  return canMeet(cases, sale);
};

const later = { delivered: '', last_item_delivered: '', shipped: 'shipping', placed: 'the order' } as const;

/**
 * Windows that end before what the law gives anyone who bought at a distance: the floor makes up for them, but customers
 * are told less than they have.
 */
export const statutoryWindows = (rules: readonly PlacedRule[], selectors: Selectors | undefined): readonly Finding[] =>
  rules.flatMap((placed): readonly Finding[] => {
    const { rule, path } = placed;
    if (rule.phase !== 'window') return [];
    const { anchor, days, graceDays = 0 } = rule.window;
    const laws = statutoryRules.filter(
      (law) => law.claim === 'any' && daysOf(law) > days + graceDays && canConcern(placed, law, selectors?.countries),
    );
    if (laws.length === 0) return [];
    const from = later[anchor] === '' ? '' : `, and counts from ${later[anchor]}, which comes before that`;
    return [
      {
        code: 'window_below_floor',
        severity: 'warning',
        path: `${path}/window/days`,
        message: `gives less than ${laws.map((law) => `${law.law} (${daysOf(law)} days from delivery)`).join(', ')}${from}; the law counts anyway`,
        rules: [rule.id],
      },
    ];
  });
