import { decided, refused, type Decision } from './failure.ts';
import type { Fault } from './model/field-error.ts';
import type { Money } from './model/order.ts';

/** An amount at its place in a command, where there is one. */
export type Placed = readonly [path: string, money: Money | undefined];

/** Amounts in another currency than their order's: an order is charged in one. */
export const foreignAmounts = (currency: string, amounts: readonly Placed[]): Fault[] =>
  amounts
    .filter(([, money]) => money !== undefined && money.currency !== currency)
    .map(([path]) => ({
      path: `${path}/currency`,
      code: 'currency',
      message: `must be the order's currency, ${currency}`,
    }));

/** Refuses faults of this kind. */
export const demandOneCurrency = (faults: readonly Fault[]): Decision<null> =>
  faults.length === 0
    ? decided(null)
    : refused({ code: 'currency_mismatch', detail: 'An order has one currency.', errors: faults });

/** Refuses amounts in another currency than their order's. */
export const inOneCurrency = (currency: string, amounts: readonly Placed[]): Decision<null> =>
  demandOneCurrency(foreignAmounts(currency, amounts));
