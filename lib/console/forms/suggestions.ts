import type { OperationName } from '../../contract/contract.ts';

const goodwill = ['goodwill', 'our_mistake', 'agreed_with_customer'] as const;
const floor = ['legal_exception', 'agreed_with_customer'] as const;

/** Codes that a form proposes. A shop may use any others. */
const byOperation: Readonly<Partial<Record<OperationName, Readonly<Record<string, readonly string[]>>>>> = {
  reject: {
    code: ['outside_window', 'final_sale', 'used_item', 'no_evidence', 'not_returnable', 'duplicate'],
    reason: floor,
  },
  cancel: { code: ['changed_mind', 'keeps_goods', 'duplicate', 'wrong_order'] },
  approve: { reason: floor },
  inspect: { reason: floor, grade: ['A', 'B', 'C', 'D'] },
  complete: { reason: floor },
  correct: { reason: floor },
  refund: { reason: goodwill },
  compensate: { reason: goodwill },
  waiveFee: { reason: goodwill },
  grant: { reason: goodwill },
  writeOffRecovery: { reason: ['uncollectable', ...goodwill] },
};

/** Returns the values that a form of an operation proposes, by the name of the field. */
export const suggestionsOf = (operation: OperationName): Readonly<Record<string, readonly string[]>> => ({
  carrier: ['dhl', 'ups', 'gls', 'dpd', 'fedex', 'ctt', 'correios'],
  ...byOperation[operation],
});
