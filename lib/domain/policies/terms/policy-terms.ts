import { withLineFees } from '../../returns/line-fees.ts';
import type { LineFeeTerms, Terms } from '../../returns/model/terms.ts';
import type { Evaluation, LineEvaluation } from '../evaluation.ts';

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

/** Returns the fee terms of a line by rules on its facts; undefined without one. */
export const lineFeeTerms = ({ fees = {} }: Pick<LineEvaluation, 'fees'>): LineFeeTerms | undefined => {
  const { restocking, inspection } = fees;
  if (restocking === undefined && inspection === undefined) return undefined;
  return {
    ...(restocking === undefined ? {} : { restockingBps: restocking.bps ?? 0 }),
    ...(restocking?.cap === undefined ? {} : { restockingCap: restocking.cap }),
    ...(inspection === undefined ? {} : { inspectionCapBps: inspection.bps ?? 0 }),
  };
};

/**
 * Returns the terms of a return from its policy. Settings that the policy does not have come from the deployment.
 *
 * @param lineIds the ids of the lines of the return, in the order of the evaluation
 */
export const policyTerms = (
  defaults: Terms,
  { fees, settings, approval, lines }: Pick<Evaluation, 'fees' | 'settings' | 'approval' | 'lines'>,
  policyVersion: string,
  lineIds: readonly string[],
): Terms => {
  const { shipByDays, returnless, shipping, inspection, refundTiming } = settings;
  const terms: Terms = {
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
      ...(fees.promotion === undefined ? {} : { promotion: true }),
    },
    deadlines: { ...defaults.deadlines, shipByDays: shipByDays ?? defaults.deadlines.shipByDays },
    ...(returnless === undefined ? {} : { returnless }),
    policyVersion,
  };
  return withLineFees(
    terms,
    lineIds.map((lineId, index) => ({ lineId, fees: lineFeeTerms(lines[index] ?? {}) })),
  );
};
