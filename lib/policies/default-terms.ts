import { addDays } from '../returns/days.ts';
import type { CreateReturn } from '../returns/create-return.ts';
import type { Instant, Order } from '../returns/order.ts';
import type { Terms } from '../returns/terms.ts';

/** The terms of a deployment without policies: somebody looks at every return, and money goes back for what came back. */
export const defaultTerms: Terms = {
  approval: 'manual',
  refundTiming: 'received',
  inspection: 'required',
  shipping: 'none',
  fees: { restockingBps: 0, restockingCap: null, returnShipping: 0, inspectionCapBps: 10_000 },
  deadlines: { shipByDays: null, answerByDays: null, inspectByDays: null, refundDueDays: 14 },
  floor: null,
  refundApprovalLimit: {},
  policyVersion: null,
};

const euCountries: ReadonlySet<string> = new Set(
  'AT BE BG CY CZ DE DK EE ES FI FR GR HR HU IE IT LT LU LV MT NL PL PT RO SE SI SK'.split(' '),
);

/** 14 days (article 9) and one more: in the customer's time zone the last of them may end a day later than in ours. */
const withdrawalDays = 15;

/** Whether the customer may still withdraw. What is not known to have been delivered has not begun to run out. */
const isInTime = ({ facts: { lines } }: Order, now: Instant): boolean => {
  if (lines.some(({ deliveries = [] }) => deliveries.length === 0)) return true;
  const delivered = lines.flatMap(({ deliveries = [] }) => deliveries.map(({ at }) => addDays(at, 0)));
  const last = delivered.reduce((latest, at) => (at > latest ? at : latest), '');
  return now <= addDays(last, withdrawalDays);
};

/** Whether Directive 2011/83/EU lets the buyer withdraw. What speaks against a consumer's right must be known. */
const mayWithdraw = (order: Order, { basis = 'withdrawal' }: Pick<CreateReturn, 'basis'>, now: Instant): boolean => {
  const { country, destination, buyerIsConsumer, saleType } = order.facts;
  return (
    basis === 'withdrawal' &&
    buyerIsConsumer !== false &&
    saleType !== 'in_store' &&
    euCountries.has(country ?? destination?.country ?? '') &&
    isInTime(order, now)
  );
};

/**
 * The terms of a new return: those of the deployment, and under a withdrawal what the law gives the customer at least.
 * Nobody is worse off by it: where the deployment gives more of the shipping back than the law wants, it stays so.
 */
export const termsOf = (defaults: Terms, order: Order, request: Pick<CreateReturn, 'basis'>, now: Instant): Terms =>
  mayWithdraw(order, request, now)
    ? {
        ...defaults,
        floor: { law: 'EU 2011/83', fees: ['inspection', 'return_shipping'] },
        shipping: defaults.shipping === 'none' ? 'statutory' : defaults.shipping,
      }
    : defaults;
