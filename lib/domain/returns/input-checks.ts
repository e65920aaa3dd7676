import type { Result } from './failure.ts';
import { fail, ok } from '../../runtime/result.ts';
import type { Money } from './model/order.ts';
import type { FieldError } from './model/status.ts';

/**
 * Requires that a command names only lines of the return.
 *
 * @param ids the ids of the return's lines
 * @param list the field that names them
 */
export const requireKnownLines = (
  ids: Pick<ReadonlySet<string>, 'has'>,
  named: readonly { readonly lineId: string }[],
  list: 'lines' | 'contents' | 'raise' = 'lines',
): Result<null> => {
  const errors = named.flatMap(({ lineId }, index) =>
    ids.has(lineId)
      ? []
      : [{ path: `/${list}/${index}/lineId`, code: 'unknown', message: 'must be a line of the return' }],
  );
  return errors.length === 0
    ? ok(null)
    : fail({ code: 'return_line_not_found', detail: 'The return has no line with this id.', errors });
};

/** The languages of texts for customers (RFC 5646). The first one is the default. */
export const languages = ['en', 'pt', 'es', 'de', 'fr'] as const;

export type Language = (typeof languages)[number];

export const defaultLanguage: Language = 'en';

/** An amount with its path in a command, if present. */
export type AmountAtPath = readonly [path: string, money: Money | undefined];

/** Lists amounts in a currency other than the order's. An order has one currency. */
export const foreignCurrencyErrors = (currency: string, amounts: readonly AmountAtPath[]): FieldError[] =>
  amounts
    .filter(([, money]) => money !== undefined && money.currency !== currency)
    .map(([path]) => ({
      path: `${path}/currency`,
      code: 'currency',
      message: `must be the order's currency, ${currency}`,
    }));

/** Makes the failure of currency errors, if there are any. */
export const failOnCurrencyErrors = (errors: readonly FieldError[]): Result<null> =>
  errors.length === 0
    ? ok(null)
    : fail({
        code: 'currency_mismatch',
        detail: 'An amount is not in the currency of the order.',
        errors,
      });

/** Rejects amounts in a currency other than the order's. */
export const requireOrderCurrency = (currency: string, amounts: readonly AmountAtPath[]): Result<null> =>
  failOnCurrencyErrors(foreignCurrencyErrors(currency, amounts));
