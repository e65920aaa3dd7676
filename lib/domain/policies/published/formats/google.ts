import { exponent } from '../../../money/currency.ts';
import type { Money } from '../../../returns/model/order.ts';
import type { Statement } from '../statement.ts';
import {
  type FormattedPolicy,
  generalFee,
  generalResolutions,
  generalWindow,
  goodsWithoutReturns,
  isPlainWindow,
  ofKind,
  omittedKinds,
} from './general-terms.ts';

const windowTerms = (statements: readonly Statement[]) => {
  const window = generalWindow(statements);
  if (window === null) return { policy: { type: 'LIFETIME_RETURNS' } };
  // A day is 24 hours after the delivery there, and never longer than ours.
  return window?.anchor === 'delivered'
    ? { policy: { type: 'NUMBER_OF_DAYS_AFTER_DELIVERY', days: String(window.days) } }
    : {};
};

/** Returns millionths of the unit; undefined for an unknown currency, whose digits are unknown. */
const microsOf = ({ amount, currency }: Money): string | undefined => {
  const digits = exponent(currency);
  return digits === undefined ? undefined : String(BigInt(amount) * 10n ** BigInt(6 - digits));
};

/** Each fee is one for all reasons. So a fee that a law removes cannot be said. */
const feeTerms = (statements: readonly Statement[]) => {
  const restocking = generalFee(statements, 'restocking');
  const shipping = generalFee(statements, 'return_shipping');
  const percent = restocking?.none === true ? 0 : restocking?.bps;
  const isPercent = percent !== undefined && restocking?.cap === undefined && restocking?.removedBy === undefined;
  const { amount, removedBy } = shipping ?? {};
  const amountMicros = amount && microsOf(amount);
  return {
    ...(isPercent ? { restockingFee: { microPercent: percent * 10_000 } } : {}),
    ...(amount === undefined || amountMicros === undefined || removedBy !== undefined
      ? {}
      : {
          returnShippingFee: {
            type: 'FIXED',
            fixedFee: { amountMicros, currencyCode: amount.currency },
          },
        }),
  };
};

const exchangeTerms = (statements: readonly Statement[]) => {
  if (generalResolutions(statements).includes('exchange')) return { acceptExchange: true };
  const isNever = ofKind(statements, 'resolutions').every(
    ({ resolutions, more }) => more === undefined && !resolutions.includes('exchange'),
  );
  return isNever && ofKind(statements, 'resolutions').length > 0 ? { acceptExchange: false } : {};
};

/**
 * Returns statements as fields of an `OnlineReturnPolicy` of the Merchant API. The shop adds its label, its methods of
 * return and the address of its policy. A season replaces the usual end there, so it cannot be said that the later end
 * counts: seasons are omitted.
 *
 * @see https://developers.google.com/merchant/api/reference/rest/accounts_v1/accounts.onlineReturnPolicies
 */
export const toGoogle = (statements: readonly Statement[], country: string): FormattedPolicy => {
  const base = { countries: [country] };
  const document = { ...base, ...windowTerms(statements), ...feeTerms(statements), ...exchangeTerms(statements) };
  const excluded = goodsWithoutReturns(statements);
  return {
    document,
    exceptions: excluded.map((when) => ({ when, document: { ...base, policy: { type: 'NO_RETURNS' } } })),
    omitted: omittedKinds(statements, excluded, (statement) => {
      if (statement.kind === 'window')
        return isPlainWindow(statement) && statement.window?.seasonal === undefined && 'policy' in document;
      if (statement.kind !== 'fee') return false;
      const { type } = statement.fee;
      return (
        (type === 'restocking' && 'restockingFee' in document) ||
        (type === 'return_shipping' && 'returnShippingFee' in document)
      );
    }),
  };
};
