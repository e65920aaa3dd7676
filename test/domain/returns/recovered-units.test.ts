import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { closeReceipt } from '../../../lib/domain/returns/commands/goods/missing-units.ts';
import { inspect } from '../../../lib/domain/returns/commands/goods/inspect.ts';
import { receive } from '../../../lib/domain/returns/commands/goods/receive.ts';
import { exchange, exchangeResult } from '../../../lib/domain/returns/commands/money/exchange.ts';
import { recordRecovery, writeOffRecovery } from '../../../lib/domain/returns/commands/money/recoveries-and-fees.ts';
import { recordRefundResult } from '../../../lib/domain/returns/commands/money/record-refund-result.ts';
import { refundReturn } from '../../../lib/domain/returns/commands/money/refund-return.ts';
import type { Terms } from '../../../lib/domain/returns/model/terms.ts';
import { feesOf } from '../../../lib/domain/returns/money/deductions.ts';
import { returnable } from '../../../lib/domain/returns/money/line-units.ts';
import { ledgerLine } from '../../../lib/domain/returns/money/order-ledger.ts';
import { quote } from '../../../lib/domain/returns/money/quote.ts';
import { owed, recoveryDue } from '../../../lib/domain/returns/money/recovery.ts';
import { refundStatus } from '../../../lib/domain/returns/money/refund-status.ts';
import { allowedActions } from '../../../lib/domain/returns/rules/allowed-actions.ts';
import type { Situation } from '../../../lib/domain/returns/situation.ts';
import { inAdvance, withFees } from '../../support/money.ts';
import { eur, order, orderLine } from '../../support/orders.ts';
import { type Case, openCase, run, situationOf, type Step } from '../../support/return-case.ts';
import { runs } from '../../support/samples.ts';

const refunded = (lines?: readonly { lineId: string; quantity: number }[]) => (situation: Situation) =>
  refundReturn(situation, lines === undefined ? {} : { lines }, { id: `rfd_${situation.state.refunds.length}` });
const report = (status: 'submitted' | 'succeeded' | 'reversed') => (situation: Situation) =>
  recordRefundResult(
    situation,
    { refundId: situation.state.refunds.at(-1)?.id ?? '', status },
    '2027-01-01T00:00:00.000Z',
  );
const paid = [refunded(), report('submitted'), report('succeeded')] as const;
const closed = (situation: Situation) => closeReceipt(situation, { cause: 'never_sent' });
const came =
  (quantity: number, lineId = 'a') =>
  (situation: Situation) =>
    receive(situation, { lines: [{ lineId, quantity }] }, ['unx_1', 'unx_2', 'unx_3']);
const inspected =
  (quantity: number, deductionBps = 0, lineId = 'a') =>
  (situation: Situation) =>
    inspect(situation, {
      lines: [
        {
          id: `ins_${situation.now}_${lineId}`,
          lineId,
          quantity,
          outcome: 'accept' as const,
          disposition: 'restock' as const,
          deductionBps,
        },
      ],
      unexpected: [],
    });
const gaveBack = (amount: number) => (situation: Situation) =>
  recordRecovery(situation, { amount: eur(amount) }, `rcv_${situation.state.recoveries.length}`);
const gaveBackAll = (situation: Situation) => gaveBack(recoveryDue(situation.state))(situation);
const total = (one: Case): number => {
  const quoted = quote(situationOf(one), {});
  if (!quoted.ok) throw new Error(quoted.failure.code);
  return quoted.value.total.amount;
};
const account = (one: Case) => ({
  due: recoveryDue(one.state),
  owed: owed(one.state),
  payable: total(one),
  refunded: one.state.lines.map(({ quantities }) => quantities.refunded),
});

describe('recovered advance payment', () => {
  const missing = run(openCase(undefined, { terms: inAdvance }), ...paid, closed);

  it('frees its units for another return', () => {
    const [sold] = missing.order.facts.lines;
    if (sold === undefined) throw new Error('no line');
    expect([returnable(missing.ledger, sold), recoveryDue(missing.state)]).toEqual([0, 3000]);
    const back = run(missing, gaveBackAll);
    expect(returnable(back.ledger, sold)).toBe(3);
    expect(back.ledger).toMatchObject({ given: { amount: 0, shipping: 0 } });
    expect(ledgerLine(back.ledger, '1')).toEqual({
      held: 0,
      refundedAlone: 0,
      granted: { units: 0, gross: 0, tax: 0 },
    });
    expect(account(back)).toEqual({ due: 0, owed: 0, payable: 0, refunded: [0] });
    expect(refundStatus(back.state)).toBe('none');
  });

  it('is paid again for units that arrive late', () => {
    const late = run(missing, gaveBackAll, came(2), inspected(2));
    expect(account(late)).toEqual({ due: 0, owed: 2000, payable: 2000, refunded: [0] });
    expect(account(run(late, ...paid))).toEqual({ due: 0, owed: 0, payable: 0, refunded: [2] });
  });

  it('frees whole units only, and pays the rest as an amount', () => {
    const part = run(missing, gaveBack(1700));
    expect(part.state.recoveries).toMatchObject([
      { lines: [{ lineId: 'a', orderLineId: '1', quantity: 1, gross: eur(1000) }], fees: [] },
    ]);
    expect(account(part)).toEqual({ due: 1300, owed: -1300, payable: 0, refunded: [2] });
    const late = run(part, came(3), inspected(3));
    expect(account(late)).toEqual({ due: 0, owed: 1700, payable: 1700, refunded: [2] });
    expect(quote(situationOf(late), {})).toMatchObject({
      value: {
        steps: [{ rule: 'goods', amount: eur(1000) }, { rule: 'recovered', amount: eur(700) }, { rule: 'shipping' }],
      },
    });
    expect(account(run(late, ...paid))).toEqual({ due: 0, owed: 0, payable: 0, refunded: [3] });
  });

  it('adds up parts of a unit', () => {
    const back = run(missing, gaveBack(400), gaveBack(700), gaveBackAll);
    expect(back.state.recoveries.map(({ lines }) => lines.map(({ quantity }) => quantity))).toEqual([[], [1], [2]]);
    expect(account(back)).toEqual({ due: 0, owed: 0, payable: 0, refunded: [0] });
  });

  it('undoes a unit at its own price while money for another unit is pending', () => {
    const one = run(
      openCase(undefined, { terms: inAdvance }),
      refunded([{ lineId: 'a', quantity: 1 }]),
      ...paid.slice(1),
      refunded(),
      closed,
      gaveBackAll,
    );
    expect(one.state.recoveries).toMatchObject([{ amount: eur(1000), lines: [{ quantity: 1, gross: eur(1000) }] }]);
    expect(one.ledger.lines['1']?.granted).toMatchObject({ units: 2, gross: 2000 });
    expect(account(run(one, ...paid.slice(1), gaveBackAll))).toEqual({ due: 0, owed: 0, payable: 0, refunded: [0] });
  });

  it('excludes an amount that was written off', () => {
    const writtenOff = run(missing, gaveBack(1000), (situation) =>
      writeOffRecovery(situation, { reason: 'goodwill' }, 'rcv_w'),
    );
    expect(account(writtenOff)).toMatchObject({ due: 0, payable: 0, refunded: [2] });
    expect(account(run(writtenOff, came(3), inspected(3)))).toMatchObject({ due: 0, owed: 1000, payable: 1000 });
  });

  it('releases the fees of goods that never arrived', () => {
    const fees = withFees({ restockingBps: 1000 });
    const back = run(openCase(undefined, { terms: fees }), ...paid, closed, gaveBackAll);
    expect(back.state.recoveries).toMatchObject([
      { amount: eur(2700), lines: [{ quantity: 3 }], fees: [{ type: 'restocking', amount: eur(-300) }] },
    ]);
    expect(account(run(back, came(1), inspected(1)))).toEqual({ due: 0, owed: 900, payable: 900, refunded: [0] });
  });

  it('settles a fee that no refund took', () => {
    const back = run(openCase(undefined, { terms: inAdvance }), ...paid, came(3), inspected(3, 2000), gaveBackAll);
    expect(back.state.recoveries).toMatchObject([
      { amount: eur(600), lines: [], fees: [{ type: 'inspection', amount: eur(600) }] },
    ]);
    expect(feesOf(back.state)).toMatchObject([{ type: 'inspection', amount: eur(600), applied: eur(600) }]);
    expect(account(back)).toEqual({ due: 0, owed: 0, payable: 0, refunded: [3] });
  });

  it('is owed to the customer when its refund is reversed', () => {
    const twice = run(missing, gaveBackAll, report('reversed'));
    expect(twice.state.lines[0]?.quantities.refunded).toBe(0);
    expect(twice.ledger.lines['1']?.granted).toEqual({ units: 0, gross: 0, tax: 0 });
    expect(account(twice)).toEqual({ due: 0, owed: 3000, payable: 3000, refunded: [0] });
    expect(account(run(twice, ...paid))).toEqual({ due: 0, owed: 0, payable: 0, refunded: [0] });
    const late = run(twice, came(3), inspected(3));
    expect(late.state.lines[0]?.amounts.maxRefundable).toEqual(eur(3000));
    expect(account(late)).toMatchObject({ due: 0, owed: 6000, payable: 6000 });
    expect(allowedActions(situationOf(late))).toContainEqual({
      action: 'refund',
      scope: 'returns:write',
      allowed: true,
    });
    expect(account(run(late, ...paid))).toEqual({ due: 0, owed: 0, payable: 0, refunded: [3] });
  });
});

describe('refund after earlier refunds', () => {
  it('returns the fees of goods that never arrived', () => {
    const fees = withFees({ restockingBps: 1000 });
    const one = [refunded([{ lineId: 'a', quantity: 1 }]), report('submitted'), report('succeeded')];
    const came1 = run(openCase(undefined, { terms: fees }), ...one, came(1), inspected(1), closed);
    expect(quote(situationOf(came1), {})).toMatchObject({
      value: {
        steps: [{ rule: 'restocking', amount: eur(200) }, { rule: 'shipping' }],
        breakdown: { deductions: [{ type: 'restocking', amount: eur(-200) }] },
      },
    });
    expect(account(run(came1, ...paid))).toEqual({ due: 0, owed: 0, payable: 0, refunded: [1] });
  });

  it('pays for one line what another line that never arrived does not hold', () => {
    const lines = [
      { orderLineId: '1', quantity: 1 },
      { orderLineId: '1', quantity: 2 },
    ];
    const first = run(
      openCase(lines, { terms: inAdvance }),
      refunded([{ lineId: 'a', quantity: 1 }]),
      ...paid.slice(1),
    );
    const one = run(first, came(2, 'b'), inspected(2, 0, 'b'), closed);
    expect(account(one)).toMatchObject({ due: 0, owed: 1000, payable: 1000 });
    expect(account(run(one, ...paid))).toEqual({ due: 0, owed: 0, payable: 0, refunded: [1, 2] });
  });

  it('adds earlier refunds when it compares with the approval limit', () => {
    const limited: Terms = { ...inAdvance, refundApprovalLimit: { EUR: 2500 } };
    const first = run(openCase(undefined, { terms: limited }), refunded([{ lineId: 'a', quantity: 2 }]));
    const second = refunded();
    expect(second(situationOf(first, { admin: false }))).toMatchObject({ failure: { code: 'refund_above_limit' } });
    expect(second(situationOf(first)).ok).toBe(true);
  });
});

describe('exchange for goods that never arrived', () => {
  const exchanged = (situation: Situation) =>
    exchange(situation, 'exc_1', { lineId: 'a', quantity: 3, newItem: { sku: 'NEW', quantity: 1 } });
  const moved = (status: 'ordered' | 'fulfilled') => (situation: Situation) =>
    exchangeResult(situation, { exchangeId: 'exc_1', status });
  const over = run(
    openCase(undefined, { terms: inAdvance }),
    exchanged,
    moved('ordered'),
    moved('fulfilled'),
    came(1),
    closed,
  );

  it('makes the worth of these goods due', () => {
    expect(account(over)).toMatchObject({ due: 2000, payable: 0 });
    expect(account(run(over, gaveBackAll, inspected(1)))).toMatchObject({ due: 0, owed: 0, payable: 0 });
  });

  it('pays the recovered amount when the goods arrive', () => {
    const late = run(over, gaveBackAll, came(2), inspected(3));
    expect(account(late)).toMatchObject({ due: 0, owed: 2000, payable: 2000 });
    expect(account(run(late, ...paid))).toMatchObject({ due: 0, owed: 0, payable: 0 });
  });
});

describe('payments, recoveries and late goods', () => {
  const step = fc.oneof(
    fc.record({ do: fc.constant('refund'), lineId: fc.constantFrom('a', 'b'), n: fc.integer({ min: 1, max: 4 }) }),
    fc.record({ do: fc.constant('come'), lineId: fc.constantFrom('a', 'b'), n: fc.integer({ min: 1, max: 4 }) }),
    fc.record({ do: fc.constant('look'), lineId: fc.constantFrom('a', 'b'), n: fc.integer({ min: 1, max: 4 }) }),
    fc.record({ do: fc.constantFrom('close', 'all', 'part'), lineId: fc.constant('a'), n: fc.nat({ max: 9999 }) }),
  );
  /** Returns the case after the commands that succeed. */
  const attempt = (one: Case, ...steps: readonly Step[]): Case =>
    steps.reduce((now, next) => (next(situationOf(now)).ok ? run(now, next) : now), one);

  const lineUnits = ({ state }: Case, name: string): number =>
    state.lines
      .filter(({ orderLineId }) => orderLineId === name)
      .reduce((units, { quantities }) => units + quantities.refunded, 0);

  it('add up to exactly the worth of the received goods, less fees', () => {
    const cases = fc.record({
      price: fc.integer({ min: 0, max: 1000 }),
      discount: fc.integer({ min: 0, max: 3 }),
      fees: fc.record({
        restockingBps: fc.constantFrom(0, 1000),
        returnShipping: fc.constantFrom(0, 490),
        inspectionCapBps: fc.constant(10_000),
      }),
      bps: fc.constantFrom(0, 0, 2500),
      same: fc.boolean(),
      steps: fc.array(step, { maxLength: 25 }),
    });
    fc.assert(
      fc.property(cases, ({ price, discount, fees, bps, same, steps }) => {
        const line = orderLine({ quantity: 7, unitPrice: eur(price), discountTotal: eur(Math.min(discount, price)) });
        const facts = order({ lines: [line, { ...line, lineId: '2' }] });
        const requestedLines = [
          { orderLineId: '1', quantity: 3 },
          { orderLineId: same ? '1' : '2', quantity: 4 },
        ];
        const start = openCase(requestedLines, { facts, terms: withFees(fees) });
        const end = steps.reduce((one, { do: what, lineId, n }) => {
          switch (what) {
            case 'refund':
              return attempt(one, refunded([{ lineId, quantity: n }]), report('submitted'), report('succeeded'));
            case 'come':
              return attempt(one, came(n, lineId));
            case 'look':
              return attempt(one, inspected(n, bps, lineId));
            case 'close':
              return attempt(one, closed);
            case 'all':
            case 'part': {
              const due = recoveryDue(one.state);
              return due === 0 ? one : attempt(one, gaveBack(what === 'all' ? due : 1 + (n % due)));
            }
          }
        }, start);
        const all = (one: Case) =>
          one.state.lines.reduce(
            (now, { id, quantities }) =>
              quantities.received > quantities.accepted
                ? run(now, inspected(quantities.received - quantities.accepted, 0, id))
                : now,
            one,
          );
        const ended = all(attempt(end, closed));
        const even = recoveryDue(ended.state) > 0 ? run(ended, gaveBackAll) : ended;
        const done = total(even) > 0 ? run(even, ...paid) : even;
        expect(account(done)).toMatchObject({ due: 0, payable: 0 });
        expect(owed(done.state)).toBeLessThanOrEqual(0);
        expect(owed(done.state)).toBeGreaterThanOrEqual(-9);
        const { granted } = ledgerLine(done.ledger, '1');
        expect(granted.units).toBe(lineUnits(done, '1'));
        expect(granted.gross).toBeLessThanOrEqual(7 * price);
      }),
      { numRuns: runs(60), seed: 20261121 },
    );
  });
});
