import type { Terms } from '../../returns/model/terms.ts';

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
