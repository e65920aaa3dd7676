import { fill } from '../texts/fill.ts';
import { formatMoney, formatNumber } from '../texts/format.ts';
import { t } from './texts.ts';

/** What a rule takes: a share in basis points or an amount, and at most a cap, both in minor units. */
type FeeTerms = { readonly bps?: number; readonly amount?: number; readonly cap?: number };

/** Returns basis points as a percentage. */
export const percent = (bps: number): string =>
  formatNumber(bps / 10_000, { style: 'percent', maximumFractionDigits: 2 });

/** Returns what a fee takes, in words. */
export const feeWords = ({ bps, amount, cap }: FeeTerms, currency: string): string =>
  [
    bps === undefined ? [] : percent(bps),
    amount === undefined ? [] : formatMoney({ amount, currency }),
    cap === undefined ? [] : fill(t().atMost, { amount: formatMoney({ amount: cap, currency }) }),
  ]
    .flat()
    .join(', ');
