import { given, implies } from './cases.ts';
import type { Finding } from './finding.ts';
import { literal } from './literal.ts';
import type { PlacedRule } from './placed-rule.ts';

/** What a return that pays a fee can be worth. Rules for fees cannot ask for a line's worth. */
const worths = ['return.value', 'order.value'];

/** Flat fees that nothing keeps from being more than what comes back is worth. */
export const flatFees = (rules: readonly PlacedRule[]): readonly Finding[] =>
  rules.flatMap(({ rule, path, cases }): readonly Finding[] => {
    const least = rule.phase === 'fee' ? rule.fee.amount?.amount : undefined;
    if (least === undefined || least === 0 || cases?.length === 0) return [];
    if (worths.some((fact) => implies(cases, given(literal(fact, 'from', [least]))))) return [];
    return [
      {
        code: 'fee_above_price',
        severity: 'warning',
        path: `${path}/fee/amount`,
        message: `can be more than the goods are worth: let it hold only where return.value is at least ${least}`,
        rules: [rule.id],
      },
    ];
  });
