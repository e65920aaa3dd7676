import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { defaultTerms } from '../../../lib/domain/policies/terms/policy-terms.ts';
import { inspect } from '../../../lib/domain/returns/commands/goods/inspect.ts';
import { receive } from '../../../lib/domain/returns/commands/goods/receive.ts';
import { compensate } from '../../../lib/domain/returns/commands/money/compensate.ts';
import { recordRefundResult } from '../../../lib/domain/returns/commands/money/record-refund-result.ts';
import { refundReturn } from '../../../lib/domain/returns/commands/money/refund-return.ts';
import { approve } from '../../../lib/domain/returns/commands/request/review-request.ts';
import type { Return } from '../../../lib/domain/returns/model/return.ts';
import { refundStatus } from '../../../lib/domain/returns/money/refund-status.ts';
import { contributionOf } from '../../../lib/service/statistics/contribution.ts';
import type { CounterContribution } from '../../../lib/store/statistics/counted-returns.ts';
import { perform } from '../../domain/returns/model/perform.ts';
import { type Life, lives } from '../../domain/returns/model/steps.ts';
import { eur, order, orderLine } from '../../support/orders.ts';
import { afterwards, openCase, run, situationOf } from '../../support/return-case.ts';
import { runs } from '../../support/samples.ts';

const facts = order({
  lines: [
    orderLine({ lineId: '1', sku: 'SHIRT', quantity: 7, unitPrice: eur(333), discountTotal: eur(14) }),
    orderLine({ lineId: '2', sku: 'HAT', quantity: 3, unitPrice: eur(1999) }),
  ],
});
const requestedLines = [
  { orderLineId: '1', quantity: 3 },
  { orderLineId: '2', quantity: 2 },
  { orderLineId: '1', quantity: 1 },
];

const of = (parts: readonly CounterContribution[], dimension: CounterContribution['dimension']) =>
  parts.filter((part) => part.dimension === dimension);
const sum = (parts: readonly CounterContribution[], name: string) =>
  parts.reduce((all, { figures }) => all + (figures[name] ?? 0), 0);

/** Returns the states of a return through a life. Failed commands change nothing. */
const statesOf = ({ inAdvance, choices }: Life): readonly Return[] => {
  const terms = { ...defaultTerms, refundTiming: inAdvance ? ('approved' as const) : ('received' as const) };
  let now = openCase(requestedLines, { facts, terms });
  const states = [now.state];
  choices.forEach(({ among, admin }, serial) => {
    for (const step of among) {
      if (step.name === 'createReturn') continue;
      const decision = perform(situationOf(now, { admin }), step, serial);
      if (!decision.ok || decision.value === undefined) continue;
      now = afterwards(now, decision.value);
      states.push(now.state);
      return;
    }
  });
  return states;
};

describe('contributionOf', () => {
  it('agrees in every dimension, and agrees with the return about money', () => {
    const seen = new Set<string>();
    fc.assert(
      fc.property(lives(16), (life) => {
        for (const state of statesOf(life)) {
          const parts = contributionOf(state);
          const [whole, byRefundStatus, byChannel] = ['status', 'refundStatus', 'channel'].map((name) =>
            of(parts, name as CounterContribution['dimension']),
          );
          expect(whole).toMatchObject([{ value: state.status, day: '2026-11-21', figures: { returns: 1 } }]);
          expect(byRefundStatus).toMatchObject([{ value: refundStatus(state), figures: whole?.[0]?.figures }]);
          expect(byChannel).toMatchObject([{ value: '', figures: whole?.[0]?.figures }]);
          for (const unit of ['requested', 'approved', 'received', 'accepted'] as const) {
            const units = state.lines.reduce((all, { quantities }) => all + quantities[unit], 0);
            for (const dimension of ['status', 'reason', 'sku'] as const)
              expect(sum(of(parts, dimension), unit)).toBe(units);
          }
          for (const { figures } of parts) {
            expect(Object.values(figures).every((figure) => Number.isSafeInteger(figure) && figure > 0)).toBe(true);
          }
          const due = sum(whole ?? [], 'due_EUR');
          const isWaived = state.status === 'completed' && state.waiver !== undefined;
          const isOwing = refundStatus(state) === 'due' && !isWaived && state.exchanges.length === 0;
          expect(isOwing ? due > 0 : true).toBe(true);
          expect(refundStatus(state) === 'none' ? due : 0).toBe(0);
          seen.add(`${state.status} ${due > 0 ? 'due' : 'nothing'}`);
        }
      }),
      { numRuns: runs(60, 4), seed: 20261124 },
    );
    expect([...seen]).toEqual(expect.arrayContaining(['received due', 'completed nothing', 'cancelled nothing']));
  });

  it('counts an amount as due until it is paid, by line and with its refunds', () => {
    const one = openCase(requestedLines, { facts });
    const inEuro = (state: Return) => {
      const parts = contributionOf(state);
      const figuresBy = (dimension: CounterContribution['dimension']) =>
        of(parts, dimension).map(({ value, figures }) => [
          value,
          figures['due_EUR'] ?? 0,
          figures['refunded_EUR'] ?? 0,
        ]);
      return { status: figuresBy('status'), sku: figuresBy('sku') };
    };
    const came = run(
      one,
      (situation) => approve(situation, {}),
      (situation) => receive(situation, { lines: [{ lineId: 'b', quantity: 2 }] }, []),
      (situation) =>
        inspect(situation, {
          lines: [{ id: 'ins_1', lineId: 'b', quantity: 2, outcome: 'accept', disposition: 'restock' }],
        }),
    );
    expect(inEuro(came.state)).toEqual({
      status: [['partially_received', 3998, 0]],
      sku: [
        ['SHIRT', 0, 0],
        ['HAT', 3998, 0],
      ],
    });
    const booked = run(came, (situation) =>
      refundReturn(situation, { lines: [{ lineId: 'b', quantity: 1 }] }, { id: 'rfd_1' }),
    );
    expect(inEuro(booked.state)).toEqual(inEuro(came.state));
    const at = '2026-11-22T08:00:00.000Z';
    const report = (status: 'submitted' | 'succeeded') => (situation: Parameters<typeof recordRefundResult>[0]) =>
      recordRefundResult(situation, { refundId: 'rfd_1', status }, at);
    expect(inEuro(run(booked, report('submitted'), report('succeeded')).state)).toEqual({
      status: [['partially_received', 1999, 1999]],
      sku: [
        ['SHIRT', 0, 0],
        ['HAT', 1999, 1999],
      ],
    });
  });

  it('counts a part of the price as refunded, and no longer as due, for its line', () => {
    const one = run(
      openCase(requestedLines, { facts }),
      (situation) => approve(situation, {}),
      (situation) => receive(situation, { lines: [{ lineId: 'b', quantity: 2 }] }, []),
      (situation) =>
        inspect(situation, {
          lines: [{ id: 'ins_1', lineId: 'b', quantity: 2, outcome: 'accept', disposition: 'restock' }],
        }),
      (situation) =>
        compensate(
          situation,
          {
            type: 'price_reduction',
            lineId: 'b',
            amount: eur(500),
            reason: 'goodwill',
            result: { status: 'succeeded', providerRef: 'pay-1' },
          },
          { id: 'rfd_1' },
        ),
    );
    const hat = of(contributionOf(one.state), 'sku').find(({ value }) => value === 'HAT');
    expect(hat?.figures).toMatchObject({ refunded_EUR: 500, due_EUR: 3498 });
  });
});
