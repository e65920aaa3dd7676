import { decimalText } from '../../../money/decimal.ts';
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

const schema = (name: string): string => `https://schema.org/${name}`;

/** Window terms of schema.org count from the delivery. In a season, the later of two ends counts. */
const windowTerms = (statements: readonly Statement[]) => {
  const window = generalWindow(statements);
  if (window === null) return { returnPolicyCategory: schema('MerchantReturnUnlimitedWindow') };
  if (window?.anchor !== 'delivered') return { returnPolicyCategory: schema('MerchantReturnUnspecified') };
  const { days, seasonal = [] } = window;
  const finite = { returnPolicyCategory: schema('MerchantReturnFiniteReturnWindow') };
  return {
    ...finite,
    merchantReturnDays: days,
    ...(seasonal.length === 0
      ? {}
      : {
          returnPolicySeasonalOverride: seasonal.map(({ from, to, until }) => ({
            '@type': 'MerchantReturnPolicySeasonalOverride',
            startDate: from,
            endDate: to,
            ...finite,
            merchantReturnDays: [days, until],
          })),
        }),
  };
};

const shippingTerms = (statements: readonly Statement[]) => {
  const { amount, removedBy = [] } = generalFee(statements, 'return_shipping') ?? {};
  const value = amount && decimalText(amount);
  // The digits of an unknown currency are unknown, so its amount cannot be said.
  if (amount === undefined || value === undefined) return {};
  const rights = ofKind(statements, 'right').map(({ right }) => right);
  const fees = { '@type': 'MonetaryAmount', value, currency: amount.currency };
  if (removedBy.length === 0) return { returnFees: schema('ReturnShippingFees'), returnShippingFeesAmount: fees };
  // The fee that a law on faulty goods removes is still due when the customer changes their mind.
  return rights.some(({ law, claim }) => claim === 'any' && removedBy.includes(law))
    ? {}
    : {
        customerRemorseReturnFees: schema('ReturnShippingFees'),
        customerRemorseReturnShippingFeesAmount: fees,
      };
};

const restockingTerms = (statements: readonly Statement[]) => {
  const fee = generalFee(statements, 'restocking');
  if (fee?.none === true) return { restockingFee: 0 };
  return fee?.bps === undefined || fee.cap !== undefined || fee.removedBy !== undefined
    ? {}
    : { restockingFee: fee.bps / 100 };
};

const refundTypes = (statements: readonly Statement[]) => {
  const resolutions = generalResolutions(statements);
  const isWhole = ofKind(statements, 'fee').every(({ fee }) => fee.none === true);
  const types = [
    ...(resolutions.includes('refund') && isWhole ? ['FullRefund'] : []),
    ...(resolutions.includes('exchange') ? ['ExchangeRefund'] : []),
    ...(resolutions.includes('store_credit') ? ['StoreCreditRefund'] : []),
  ];
  return types.length === 0 ? {} : { refundType: types.map(schema) };
};

/**
 * Returns statements as a `MerchantReturnPolicy` of schema.org, in JSON-LD.
 *
 * @see https://schema.org/MerchantReturnPolicy
 */
export const toSchemaOrg = (statements: readonly Statement[], country: string): FormattedPolicy => {
  const base = { '@context': 'https://schema.org', '@type': 'MerchantReturnPolicy', applicableCountry: country };
  const document = {
    ...base,
    ...windowTerms(statements),
    ...restockingTerms(statements),
    ...shippingTerms(statements),
    ...refundTypes(statements),
  };
  const excluded = goodsWithoutReturns(statements);
  return {
    document,
    exceptions: excluded.map((when) => ({
      when,
      document: { ...base, returnPolicyCategory: schema('MerchantReturnNotPermitted') },
    })),
    omitted: omittedKinds(statements, excluded, (statement) => {
      if (statement.kind === 'window')
        return isPlainWindow(statement) && document.returnPolicyCategory !== schema('MerchantReturnUnspecified');
      if (statement.kind !== 'fee') return false;
      const { type } = statement.fee;
      return (
        (type === 'restocking' && 'restockingFee' in document) ||
        (type === 'return_shipping' && 'returnFees' in document)
      );
    }),
  };
};
