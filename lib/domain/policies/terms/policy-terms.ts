import type { Terms } from '../../returns/model/terms.ts';
import type { Evaluation } from '../evaluation.ts';

/** The terms of a deployment without policies. Every return needs an approval, and received goods are refunded. */
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

/** Returns the terms of a return from its policy. Settings that the policy does not have come from the deployment. */
export const policyTerms = (
  defaults: Terms,
  { fees, settings, approval }: Pick<Evaluation, 'fees' | 'settings' | 'approval'>,
  policyVersion: string,
): Terms => {
  const { shipByDays, returnless, shipping, inspection, refundTiming } = settings;
  return {
    ...defaults,
    approval: approval === 'auto' ? 'auto' : 'manual',
    refundTiming: refundTiming ?? defaults.refundTiming,
    inspection: inspection ?? defaults.inspection,
    shipping: shipping ?? defaults.shipping,
    fees: {
      restockingBps: fees.restocking?.bps ?? defaults.fees.restockingBps,
      restockingCap: fees.restocking === undefined ? defaults.fees.restockingCap : (fees.restocking.cap ?? null),
      returnShipping: fees.return_shipping?.amount ?? defaults.fees.returnShipping,
      inspectionCapBps: fees.inspection?.bps ?? defaults.fees.inspectionCapBps,
    },
    deadlines: { ...defaults.deadlines, shipByDays: shipByDays ?? defaults.deadlines.shipByDays },
    ...(returnless === undefined ? {} : { returnless }),
    policyVersion,
  };
};
