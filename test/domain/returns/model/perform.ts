import { cancel, complete, expire } from '../../../../lib/domain/returns/commands/endings.ts';
import type { Outcome } from '../../../../lib/domain/returns/commands/outcome.ts';
import { closeReceipt, grant } from '../../../../lib/domain/returns/commands/goods/missing-units.ts';
import { correct } from '../../../../lib/domain/returns/commands/goods/correct.ts';
import { inspect } from '../../../../lib/domain/returns/commands/goods/inspect.ts';
import { receive } from '../../../../lib/domain/returns/commands/goods/receive.ts';
import { addParcel, updateParcel } from '../../../../lib/domain/returns/commands/goods/parcels.ts';
import { compensate } from '../../../../lib/domain/returns/commands/money/compensate.ts';
import { exchange, exchangeResult } from '../../../../lib/domain/returns/commands/money/exchange.ts';
import {
  recordRecovery,
  waiveFee,
  writeOffRecovery,
} from '../../../../lib/domain/returns/commands/money/recoveries-and-fees.ts';
import { receiveAndRefund } from '../../../../lib/domain/returns/commands/money/receive-and-refund.ts';
import {
  recordRefundResult,
  remindRefund,
} from '../../../../lib/domain/returns/commands/money/record-refund-result.ts';
import { refundReturn } from '../../../../lib/domain/returns/commands/money/refund-return.ts';
import {
  approve,
  reject,
  provideInfo,
  requestInfo,
} from '../../../../lib/domain/returns/commands/request/review-request.ts';
import { type AmendReturn, unitsToAdd } from '../../../../lib/domain/returns/commands/request/added-units.ts';
import { amendReturn } from '../../../../lib/domain/returns/commands/request/amend-return.ts';
import { reopen } from '../../../../lib/domain/returns/commands/request/reopen.ts';
import { addAttachment, addNote, assignReturn } from '../../../../lib/domain/returns/commands/annotations.ts';
import type { Result } from '../../../../lib/domain/returns/failure.ts';
import { recoveryDue } from '../../../../lib/domain/returns/money/recovery.ts';
import { builtInReasons } from '../../../../lib/domain/returns/rules/reasons.ts';
import type { Situation } from '../../../../lib/domain/returns/situation.ts';
import { eur } from '../../../support/orders.ts';
import { sealed } from '../../../support/return-case.ts';
import { orderLine, postage } from './model.ts';
import type { Step, StepOf } from './step.ts';
import { undecidedIn } from './verdicts.ts';

/** A time after every deadline. */
const late = '2099-01-01T00:00:00.000Z';

const unitsOf = ({ state }: Situation, units: readonly number[]) =>
  state.lines.map(({ id }, at) => ({ lineId: id, quantity: units[at] ?? 0 }));

const named = (situation: Situation, units: readonly number[]) =>
  unitsOf(situation, units).filter(({ quantity }) => quantity > 0);

const found = (situation: Situation, { accept, refuse, back }: StepOf<'inspect'>, serial: number) => {
  const sent = back ? ('return_to_customer' as const) : ('destroy' as const);
  const looks = [
    ['accept', accept, 'restock'],
    ['refuse', refuse, sent],
  ] as const;
  return looks.flatMap(([outcome, units, disposition]) =>
    named(situation, units).map((line) => ({
      ...line,
      id: `ins_${serial}_${outcome}_${line.lineId}`,
      outcome,
      disposition,
    })),
  );
};

/** Returns the id at a position of a list, modulo its length. */
const idAt = (items: readonly { readonly id: string }[], at: number): string =>
  items[at % Math.max(1, items.length)]?.id ?? 'none';

/** A raised line is one whose order line an added line has. */
const amendment = ({ state }: Situation, { by, line, units: quantity }: StepOf<'amendReturn'>): AmendReturn => {
  const { lines, unexpected, status } = state;
  const added = { orderLineId: orderLine(lines.length) === 1 ? '2' : '1', quantity, reason: { code: 'fit.too_small' } };
  const item = unexpected.find(({ disposition }) => disposition === undefined);
  if (by === 'add') return { add: [added] };
  if (by === 'unexpected') return { unexpected: [{ ...added, id: item?.id ?? 'none', quantity: 1 }] };
  return { raise: [{ lineId: idAt(lines, undecidedIn.includes(status) ? line : lines.length % 3), quantity }] };
};

/** Runs the command of a step of the model. `serial` numbers the ids that the command creates. */
export const perform = (
  situation: Situation,
  step: Exclude<Step, { readonly name: 'createReturn' }>,
  serial: number,
): Result<Outcome | undefined> => {
  const { lines, parcels, refunds, exchanges, unexpected } = situation.state;
  const text = sealed(`note_${serial}`);
  const surplusIds = lines.map(({ id }) => `unx_${serial}_${id}`);
  switch (step.name) {
    case 'approve':
      return approve(situation, { lines: unitsOf(situation, step.units) });
    case 'reject':
      return reject(situation, { code: 'final_sale' });
    case 'amendReturn': {
      const units = unitsToAdd(situation, amendment(situation, step));
      const lineIds = [`rln_${serial}`];
      if (!units.ok) return units;
      return amendReturn(situation, units.value, { reasons: builtInReasons, lineIds, terms: situation.state.terms });
    }
    case 'cancel':
      return cancel(situation, { cancellation: {}, lines: named(situation, step.units) });
    case 'cancelAll':
      return cancel(situation, { cancellation: {} });
    case 'requestInfo':
      return requestInfo(situation, { id: text.ref, text });
    case 'provideInfo':
      return provideInfo(situation, { id: text.ref, text });
    case 'addParcel': {
      const contents = named(situation, step.units);
      const { status } = step;
      return addParcel(situation, { status, ...(contents.length === 0 ? {} : { contents }) }, `pcl_${serial}`);
    }
    case 'updateParcel':
      return updateParcel(situation, idAt(parcels, step.which), { status: step.status });
    case 'receive':
      return receive(situation, { lines: named(situation, step.units) }, surplusIds);
    case 'receiveParcel': {
      const parcelId = idAt(parcels, step.which);
      return receive(situation, { parcelId }, surplusIds);
    }
    case 'receiveAndRefund':
      return receiveAndRefund(
        situation,
        {},
        { refund: { id: `rfd_${serial}` }, inspections: lines.map(({ id }) => `ins_${serial}_${id}`) },
      );
    case 'closeReceipt':
      return closeReceipt(situation, {});
    case 'inspect':
      return inspect(situation, { lines: found(situation, step, serial) });
    case 'dispose': {
      const open = unexpected.filter(({ disposition }) => disposition === undefined);
      return inspect(situation, { unexpected: open.map(({ id }) => ({ id, disposition: 'recycle' as const })) });
    }
    case 'grant': {
      const honoured = named(situation, step.units).map((line) => ({ ...line, of: step.of }));
      return grant(situation, { lines: honoured, reason: 'goodwill' });
    }
    case 'exchange': {
      const price = step.price === undefined ? {} : { price: { amount: step.price, currency: 'EUR' } };
      const newItem = { sku: 'NEW', quantity: 1, ...price };
      const command = { lineId: idAt(lines, step.line), quantity: step.units, newItem };
      return exchange(situation, `exc_${serial}`, command);
    }
    case 'exchangeResult': {
      // No result reports `requested`, because an exchange begins with it.
      if (step.status === 'requested') throw new Error('no result');
      return exchangeResult(situation, { exchangeId: idAt(exchanges, step.which), status: step.status });
    }
    case 'refund':
      return refundReturn(
        situation,
        {
          lines: named(situation, step.units),
          ...(step.result === undefined ? {} : { result: { status: step.result, providerRef: `pay_${serial}` } }),
        },
        { id: `rfd_${serial}` },
      );
    case 'compensate': {
      const reduced = { type: 'price_reduction', lineId: idAt(lines, step.line), quantity: step.units } as const;
      const paid = step.cents === 'postage' ? ({ type: 'return_postage' } as const) : reduced;
      const amount = eur(step.cents === 'postage' ? postage : step.cents);
      return compensate(situation, { ...paid, amount, reason: 'goodwill' }, { id: `rfd_${serial}` });
    }
    case 'recordRefundResult': {
      // No result reports `pending`, because a refund begins with it.
      if (step.status === 'pending') throw new Error('no result');
      const result = { refundId: idAt(refunds, step.which), status: step.status };
      return recordRefundResult(situation, result, situation.now);
    }
    case 'remindRefund':
      return remindRefund(situation);
    case 'waiveFee':
      return waiveFee(situation, { type: 'return_shipping', reason: 'goodwill' });
    case 'recordRecovery': {
      const cents = step.cents === 'all' ? recoveryDue(situation.state) : step.cents;
      return recordRecovery(situation, { amount: eur(cents) }, `rec_${serial}`);
    }
    case 'writeOffRecovery':
      return writeOffRecovery(situation, { reason: 'goodwill' }, `rec_${serial}`);
    case 'complete':
      return complete(situation, step.waive ? { waiver: { reason: text } } : {});
    case 'expire':
      return expire(step.late ? { ...situation, now: late } : situation);
    case 'reopen':
      return reopen(situation, { reason: text });
    case 'correct': {
      const ids = [{ accepted: `ins_${serial}_accepted`, refused: `ins_${serial}_refused` }];
      return correct(situation, {
        correction: { reason: text },
        lines: [{ lineId: idAt(lines, step.line), ...step.by }],
        ids,
      });
    }
    case 'addNote':
      return addNote(situation, { id: text.ref, note: text, actor: { clientId: 'shop' }, visibility: 'internal' });
    case 'assignReturn':
      return assignReturn(situation, { id: `user-${serial}` });
    case 'addAttachment':
      return addAttachment(situation, {
        id: `att_${serial}`,
        contentType: 'image/png',
        size: 1,
        sha256: '0'.repeat(44),
      });
  }
};
