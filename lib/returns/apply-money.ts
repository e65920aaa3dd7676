import type { Appliers } from './appliers.ts';
import type { RefundResult } from './entry.ts';
import { withMoney } from './with-money.ts';
import { withResult, type RefundTold } from './refund-progress.ts';
import type { Unversioned } from './return.ts';

const told =
  (status: RefundTold) =>
  (state: Unversioned, result: RefundResult): Partial<Unversioned> =>
    withMoney(state, {
      refunds: state.refunds.map((refund) =>
        refund.id === result.refundId ? withResult(refund, status, result) : refund,
      ),
    });

/** What events change that are about money. */
export const moneyAppliers = {
  'refund.requested': (state, { refund }) => withMoney(state, { refunds: [...state.refunds, refund] }),
  'refund.submitted': told('submitted'),
  'refund.succeeded': told('succeeded'),
  'refund.failed': told('failed'),
  'refund.unknown': told('unknown'),
  'refund.reversed': told('reversed'),
  'refund.cancelled': told('cancelled'),
  'refund.recorded': (state, { refund }) => ({
    ...withMoney(state, { refunds: [...state.refunds, refund] }),
    discrepancies: [...state.discrepancies, ...refund.discrepancies],
  }),
  'fee.waived': (state, { type, reason }) => ({ waivers: [...state.waivers, { type, reason }] }),
  'recovery.recorded': (state, { recovery }) => withMoney(state, { recoveries: [...state.recoveries, recovery] }),
  'recovery.written_off': (state, { recovery }) => ({ recoveries: [...state.recoveries, recovery] }),
} satisfies Partial<Appliers>;
