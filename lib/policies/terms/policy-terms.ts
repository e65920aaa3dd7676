import type { Terms } from '../../returns/model/terms.ts';
import type { Evaluation } from '../evaluation.ts';

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

/** The terms of a return by what its policy says; what it says nothing of stays as the deployment has it. */
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
