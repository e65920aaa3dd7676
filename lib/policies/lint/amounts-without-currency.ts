import { leavesOf } from '../leaves.ts';
import type { Named } from './cases.ts';
import type { Finding } from './finding.ts';
import { literalsOf, type Literal } from './literal.ts';
import type { PlacedRule } from './placed-rule.ts';

/** Facts that are amounts in minor units of the order's currency. */
const amounts: ReadonlySet<string> = new Set(['order.value', 'return.value', 'line.unitPrice', 'line.value']);

/** Whether a literal compares an amount. Zero is the same in every currency. */
const isAmount = ({ fact, op, keys }: Literal): boolean =>
  amounts.has(fact) && op !== 'exists' && op !== 'missing' && [...keys].some((key) => key !== 0);

const namesCurrency = ({ fact, op }: Literal): boolean => fact === 'order.currency' && (op === 'in' || op === 'notIn');

const isBare = (literals: readonly Literal[]): boolean => literals.some(isAmount) && !literals.some(namesCurrency);

/** Whether one way for a rule to hold compares an amount in any currency. Of very many ways only the leaves are read. */
const isBareSomewhere = ({ rule, cases }: PlacedRule, named: Named): boolean => {
  if (cases !== undefined) return cases.some(({ all }) => isBare(all));
  const isFeeInCurrency = rule.phase === 'fee' && (rule.fee.amount ?? rule.fee.cap) !== undefined;
  if (rule.when === undefined || isFeeInCurrency) return false;
  return isBare(leavesOf(rule.when, named).flatMap(literalsOf));
};

/** Finds rules that compare an amount whatever its currency: they would take 100 EUR for 100 JPY. */
export const amountsWithoutCurrency = (rules: readonly PlacedRule[], named: Named = {}): readonly Finding[] =>
  rules
    .filter((placed) => isBareSomewhere(placed, named))
    .map(
      ({ rule, path }): Finding => ({
        code: 'amount_without_currency',
        severity: 'warning',
        path: `${path}/when`,
        message: 'compares an amount in any currency, 100 EUR as 100 JPY: add a condition on order.currency',
        rules: [rule.id],
      }),
    );
