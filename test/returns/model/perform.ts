import { approve } from '../../../lib/returns/approve.ts';
import { cancel } from '../../../lib/returns/cancel.ts';
import { closeReceipt } from '../../../lib/returns/close-receipt.ts';
import { complete } from '../../../lib/returns/complete.ts';
import type { Outcome } from '../../../lib/returns/conclude.ts';
import type { Decision } from '../../../lib/returns/failure.ts';
import { grant } from '../../../lib/returns/grant.ts';
import { inspect } from '../../../lib/returns/inspect.ts';
import { provideInfo } from '../../../lib/returns/provide-info.ts';
import { receive } from '../../../lib/returns/receive.ts';
import { recordRefundResult } from '../../../lib/returns/record-refund-result.ts';
import { refundReturn } from '../../../lib/returns/refund-return.ts';
import { reject } from '../../../lib/returns/reject.ts';
import { requestInfo } from '../../../lib/returns/request-info.ts';
import type { Situation } from '../../../lib/returns/situation.ts';
import type { Step } from './model.ts';

const words = (serial: number) => ({ id: `note_${serial}`, text: { ref: `note_${serial}`, digest: '0' } });

const unitsOf = ({ state }: Situation, units: readonly number[]) =>
  state.lines.map(({ id }, at) => ({ lineId: id, quantity: units[at] ?? 0 }));

const named = (situation: Situation, units: readonly number[]) =>
  unitsOf(situation, units).filter(({ quantity }) => quantity > 0);

const found = (situation: Situation, units: readonly number[], outcome: 'accept' | 'refuse', serial: number) =>
  named(situation, units).map((line) => ({
    ...line,
    id: `ins_${serial}_${outcome}_${line.lineId}`,
    outcome,
    disposition: outcome === 'accept' ? ('restock' as const) : ('destroy' as const),
  }));

/** A step of the model as the command that it stands for. `serial` names what the command makes. */
export const perform = (situation: Situation, step: Step, serial: number): Decision<Outcome | undefined> => {
  switch (step.name) {
    case 'approve':
      return approve(situation, { lines: unitsOf(situation, step.units) });
    case 'reject':
      return reject(situation, { code: 'final_sale' });
    case 'cancel':
      return cancel(situation, { cancellation: {}, lines: named(situation, step.units) });
    case 'cancelAll':
      return cancel(situation, { cancellation: {} });
    case 'requestInfo':
      return requestInfo(situation, words(serial));
    case 'provideInfo':
      return provideInfo(situation, words(serial));
    case 'receive': {
      const ids = situation.state.lines.map(({ id }) => `unx_${serial}_${id}`);
      return receive(situation, { lines: named(situation, step.units) }, ids);
    }
    case 'closeReceipt':
      return closeReceipt(situation, {});
    case 'inspect':
      return inspect(situation, {
        lines: [...found(situation, step.accept, 'accept', serial), ...found(situation, step.refuse, 'refuse', serial)],
      });
    case 'grant': {
      const lines = named(situation, step.units).map((line) => ({ ...line, of: step.of }));
      return grant({ ...situation, admin: true }, { lines, reason: 'goodwill' });
    }
    case 'refund':
      return refundReturn(situation, { lines: named(situation, step.units) }, { id: `rfd_${serial}` });
    case 'result': {
      const { status, refund } = step;
      const refundId = situation.state.refunds[refund]?.id ?? 'rfd_none';
      // Nobody tells that a refund is pending: it begins so.
      if (status === 'pending') throw new Error('no result');
      return recordRefundResult(situation, { refundId, status }, situation.now);
    }
    case 'complete':
      return complete(situation, {});
  }
};
