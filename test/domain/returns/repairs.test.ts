import { describe, expect, it } from 'vitest';
import { defaultTerms } from '../../../lib/domain/policies/terms/policy-terms.ts';
import { complete } from '../../../lib/domain/returns/commands/endings.ts';
import { correct } from '../../../lib/domain/returns/commands/goods/correct.ts';
import { inspect } from '../../../lib/domain/returns/commands/goods/inspect.ts';
import { addParcel, updateParcel } from '../../../lib/domain/returns/commands/goods/parcels.ts';
import { receive } from '../../../lib/domain/returns/commands/goods/receive.ts';
import { refundReturn } from '../../../lib/domain/returns/commands/money/refund-return.ts';
import { approve } from '../../../lib/domain/returns/commands/request/review-request.ts';
import type { Parcel } from '../../../lib/domain/returns/model/goods.ts';
import { ledgerLine } from '../../../lib/domain/returns/money/order-ledger.ts';
import { allowedActions } from '../../../lib/domain/returns/rules/allowed-actions.ts';
import { nextStep } from '../../../lib/domain/returns/rules/next-step.ts';
import { type Case, openCase, requestReturn, run, sealed, situationOf, type Step } from '../../support/return-case.ts';

const terms = { ...defaultTerms, refundTiming: 'inspected' } as const;

/** Inspects units of the line. */
const inspected =
  (accept: number, refuse = 0): Step =>
  (situation) => {
    const all = [
      { id: 'ins_1', lineId: 'a', quantity: accept, outcome: 'accept' as const },
      {
        id: 'ins_2',
        lineId: 'a',
        quantity: refuse,
        outcome: 'refuse' as const,
        disposition: 'return_to_customer' as const,
      },
    ];
    return inspect(situation, { lines: all.filter(({ quantity }) => quantity > 0) });
  };

/** Three units came for a repair, and some were accepted. */
const repairCase = (accept = 3, refuse = 0): Case =>
  run(
    openCase([{ orderLineId: '1', quantity: 3, resolution: 'repair' }], { terms }),
    (situation) => approve(situation, {}),
    (situation) => receive(situation, { lines: [{ lineId: 'a', quantity: 3 }] }, []),
    inspected(accept, refuse),
  );

const send =
  (id: string, quantity: number): Step =>
  (situation) =>
    addParcel(situation, { contents: [{ lineId: 'a', quantity }] }, id);
const move =
  (id: string, status: Parcel['status']): Step =>
  (situation) =>
    updateParcel(situation, id, { status });

const lineOf = ({ state }: Case) => state.lines[0]?.quantities;
const heldUnits = ({ ledger }: Case) => ledgerLine(ledger, '1').held;
const refundOf = (current: Case, quantity: number) =>
  refundReturn(situationOf(current), { lines: [{ lineId: 'a', quantity }] }, { id: 'rfd_1' });
const blockerOf = (current: Case) =>
  allowedActions(situationOf(current)).find(({ action }) => action === 'complete')?.blockedBy;

describe('accepted units of a repair', () => {
  it('go back to the customer before the return completes', () => {
    const accepted = repairCase();
    expect(accepted.state.lines[0]?.inspections).toMatchObject([{ outcome: 'accept', disposition: 'repair' }]);
    expect([blockerOf(accepted), nextStep(accepted.state)]).toEqual([
      'units_not_sent_back',
      { action: 'addParcel', by: 'warehouse' },
    ]);
    const part = run(accepted, send('pcl_1', 2));
    expect([lineOf(part)?.repaired, blockerOf(part)]).toEqual([2, 'units_not_sent_back']);
    const all = run(part, (situation) => addParcel(situation, {}, 'pcl_2'));
    expect(all.state.parcels.map(({ contents }) => contents)).toEqual([
      [{ lineId: 'a', quantity: 2, repaired: 2 }],
      [{ lineId: 'a', quantity: 1, repaired: 1 }],
    ]);
    expect(run(all, (situation) => complete(situation, {})).state.status).toBe('completed');
  });

  it('are free for another return once they are sent, and not before', () => {
    const sent = run(repairCase(), send('pcl_1', 2));
    expect(heldUnits(sent)).toBe(3);
    const left = run(sent, move('pcl_1', 'in_transit'));
    expect(heldUnits(left)).toBe(1);
    const again = requestReturn(left.order, left.ledger, [{ orderLineId: '1', quantity: 2 }]);
    expect(again.ok).toBe(true);
    // The shop owes the units of a lost parcel, so this return holds them again.
    const lost = run(left, move('pcl_1', 'lost'));
    expect([heldUnits(lost), lineOf(lost)?.repaired]).toEqual([3, undefined]);
    expect(refundOf(lost, 3)).toMatchObject({ ok: true });
    // They cannot be sent again: only the third unit can.
    expect(addParcel(situationOf(lost), {}, 'pcl_2')).toMatchObject({
      value: { events: [{ data: { parcel: { contents: [{ quantity: 1 }] } } }] },
    });
    const sentRest = run(lost, send('pcl_2', 1));
    expect(blockerOf(sentRest)).toBe('units_not_sent_back');
    const paid = run(sentRest, (situation) =>
      refundReturn(situation, { lines: [{ lineId: 'a', quantity: 2 }] }, { id: 'rfd_1' }),
    );
    expect(blockerOf(paid)).toBe('open_refund');
    // The parcel arrives after all: the units and their money are with the customer.
    const found = run(paid, move('pcl_1', 'delivered'));
    expect([lineOf(found)?.repaired, heldUnits(found)]).toEqual([3, 1]);
  });

  it('are not paid in addition', () => {
    const accepted = repairCase();
    expect(refundOf(accepted, 3)).toMatchObject({ ok: true });
    const packed = run(accepted, send('pcl_1', 2));
    expect(packed.state.lines[0]?.amounts.maxRefundable.amount).toBe(1000);
    expect(refundOf(packed, 2)).toMatchObject({ ok: false });
    expect(refundOf(packed, 1)).toMatchObject({ ok: true });
    expect(refundOf(run(packed, move('pcl_1', 'cancelled')), 3)).toMatchObject({ ok: true });
  });

  it('stay with the shop when they were refunded, because the repair failed', () => {
    const refunded = run(repairCase(), (situation) =>
      refundReturn(situation, { lines: [{ lineId: 'a', quantity: 1 }] }, { id: 'rfd_1' }),
    );
    expect(addParcel(situationOf(refunded), { contents: [{ lineId: 'a', quantity: 3 }] }, 'pcl_1')).toMatchObject({
      failure: { errors: [{ message: 'must be at most 2' }] },
    });
    expect(lineOf(run(refunded, send('pcl_1', 2)))?.repaired).toBe(2);
  });

  it('are packed after refused units of the same line, and count apart from them', () => {
    const both = repairCase(2, 1);
    const first = run(both, send('pcl_1', 2));
    expect(first.state.parcels[0]?.contents).toEqual([{ lineId: 'a', quantity: 2, repaired: 1 }]);
    const fewer = run(first, (situation) =>
      updateParcel(situation, 'pcl_1', { contents: [{ lineId: 'a', quantity: 1 }] }),
    );
    expect([fewer.state.parcels[0]?.contents, lineOf(fewer)?.repaired]).toEqual([
      [{ lineId: 'a', quantity: 1 }],
      undefined,
    ]);
    const more = run(fewer, (situation) =>
      updateParcel(situation, 'pcl_1', { contents: [{ lineId: 'a', quantity: 3 }] }),
    );
    expect(more.state.parcels[0]?.contents).toEqual([{ lineId: 'a', quantity: 3, repaired: 2 }]);
    expect(run(more, (situation) => complete(situation, {})).state.status).toBe('completed');
  });

  it('are not taken back by a correction while they are in a parcel', () => {
    const sent = run(repairCase(), send('pcl_1', 2));
    const correction = (accepted: number) =>
      correct(situationOf(sent), {
        correction: { reason: sealed('why') },
        lines: [{ lineId: 'a', accepted }],
        ids: [{ accepted: 'ins_3', refused: 'ins_4' }],
      });
    expect(correction(-2)).toMatchObject({ failure: { errors: [{ message: 'must be at least -1' }] } });
    expect(correction(-1)).toMatchObject({ ok: true });
  });
});

describe('accepted units of a resolution that pays', () => {
  it('do not go back', () => {
    const refund = run(
      openCase([{ orderLineId: '1', quantity: 3 }], { terms }),
      (situation) => approve(situation, {}),
      (situation) => receive(situation, { lines: [{ lineId: 'a', quantity: 3 }] }, []),
      inspected(3),
    );
    expect(addParcel(situationOf(refund), {}, 'pcl_1')).toMatchObject({ failure: { code: 'invalid_transition' } });
    expect(refund.state.lines[0]?.inspections).toMatchObject([{ disposition: 'restock' }]);
  });
});
