import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { recordRefundResult } from '../../../lib/domain/returns/commands/money/record-refund-result.ts';
import { recordRefund } from '../../../lib/domain/returns/commands/money/record-refund.ts';
import { refundReturn } from '../../../lib/domain/returns/commands/money/refund-return.ts';
import { appendEntries } from '../../../lib/domain/returns/history/history.ts';
import type { Refund } from '../../../lib/domain/returns/model/refund.ts';
import { findPaidRefund, type PlatformRefund } from '../../../lib/domain/returns/money/paid-outside.ts';
import type { ReportedRefundStatus } from '../../../lib/domain/returns/money/refund-status.ts';
import { type Account, applyResult, beginReturn, openAccount, situationOf, sumOfRefunds } from '../../support/money.ts';
import { eur, order, orderLine } from '../../support/orders.ts';
import { runs } from '../../support/samples.ts';

/** The instant of a minute after the returns were requested. */
const minute = (at: number): string => new Date(Date.UTC(2026, 10, 21, 8, at)).toISOString();
const latest = minute(600);

/** A refund begun here: of units of one line of a return, with the statuses that its payer has reported. */
type Begun = {
  readonly ofReturn: number;
  readonly line: string;
  readonly quantity: number;
  readonly at: number;
  readonly reported: readonly ReportedRefundStatus[];
};

const shop = () => {
  const lines = ['1', '2'].map((lineId) => orderLine({ lineId, quantity: 12, unitPrice: eur(1000) }));
  const account = openAccount(order({ lines }));
  for (const _ of [0, 1]) beginReturn(account, { '1': 6, '2': 6 });
  return account;
};

const begin = (account: Account, { ofReturn, line, quantity, at, reported }: Begun): Refund => {
  const situation = { ...situationOf(account, ofReturn), now: minute(at) };
  const lineId = situation.state.lines.find(({ orderLineId }) => orderLineId === line)?.id ?? '';
  const id = `rfd_${ofReturn}_${situation.state.refunds.length}`;
  applyResult(account, refundReturn(situation, { lines: [{ lineId, quantity }] }, { id }), ofReturn);
  for (const status of reported) report(account, id, { status }, ofReturn);
  return refundOf(account, id);
};

const refundOf = ({ returns }: Account, id: string): Refund => {
  const found = returns.flatMap(({ refunds }) => refunds).find((refund) => refund.id === id);
  if (found === undefined) throw new Error(`no refund ${id}`);
  return found;
};

const report = (
  account: Account,
  refundId: string,
  result: { status: ReportedRefundStatus; providerRef?: string },
  ofReturn = 0,
) =>
  applyResult(account, recordRefundResult(situationOf(account, ofReturn), { refundId, ...result }, latest), ofReturn);

/** A refund as the shop reports it; `ofReturn` if the shop names the return. */
type Paid = PlatformRefund & { readonly ofReturn?: number };

/** Records a refund of the shop. The store keeps one refund for each id of the shop, so a repeat ends before. */
const observe = (account: Account, stored: Map<string, Refund>, { ofReturn, ...paid }: Paid): void => {
  if (stored.has(paid.externalId)) return;
  const state = ofReturn === undefined ? undefined : account.returns[ofReturn];
  const { lines, ...facts } = paid;
  const decision = recordRefund(
    account.order,
    account.ledger,
    state,
    { ...facts, method: 'original_payment', ...(lines === undefined ? {} : { lines }) },
    { id: `rfd_${paid.externalId}`, externalId: paid.externalId, now: latest, latest },
    state === undefined ? account.returns : [state],
  );
  if (!decision.ok) throw new Error(decision.failure.code);
  const { refund, ledger, events, state: changed } = decision.value;
  stored.set(paid.externalId, refund);
  account.ledger = ledger;
  const [first, ...others] = events;
  if (changed === undefined || first === undefined) return;
  const circumstances = {
    at: latest,
    actor: { clientId: 'inbox' },
    causationId: 'd',
    correlationId: 't',
    policyVersion: null,
  };
  account.returns[account.returns.indexOf(changed)] = appendEntries(changed, [first, ...others], circumstances).state;
};

const paidLike = ({ breakdown, amount }: Refund, externalId: string, at: number): PlatformRefund => ({
  externalId,
  amount,
  occurredAt: minute(at),
  lines: breakdown.lines.map(({ orderLineId, quantity }) => ({ orderLineId, quantity })),
});

const unpaid: readonly (readonly ReportedRefundStatus[])[] = [
  [],
  ['submitted'],
  ['submitted', 'unknown'],
  ['submitted', 'failed'],
];

describe('a refund started here and paid in the shop', () => {
  const one: Begun = { ofReturn: 0, line: '1', quantity: 2, at: 5, reported: [] };

  it.each(unpaid.map((reported) => [reported]))('is settled with the id of the shop, after %j', (reported) => {
    const account = shop();
    const started = begin(account, { ...one, reported });
    const before = account.ledger;
    observe(account, new Map(), { ...paidLike(started, '71', 6), ofReturn: 0 });
    expect(refundOf(account, started.id)).toMatchObject({
      status: 'succeeded',
      occurredAt: minute(6),
      settledBy: { platform: 'shopify', id: '71' },
      discrepancies: [],
    });
    expect(account.ledger).toEqual(before);
    expect(account.returns[0]?.refunds).toHaveLength(1);
  });

  it('takes the late report of its payer as a repeat, and no other result than a reversal', () => {
    const account = shop();
    const started = begin(account, { ...one, reported: ['submitted'] });
    observe(account, new Map(), { ...paidLike(started, '71', 6), ofReturn: 0 });
    const settled = account.returns[0];
    report(account, started.id, { status: 'succeeded', providerRef: 'pi_1' });
    expect(account.returns[0]).toEqual(settled);
    expect(() => report(account, started.id, { status: 'failed' })).toThrow('invalid_transition');
    report(account, started.id, { status: 'reversed' });
    expect(refundOf(account, started.id)).toMatchObject({ status: 'reversed' });
  });

  it('is not booked again when its payer has reported the id of the shop before', () => {
    const account = shop();
    const started = begin(account, one);
    report(account, started.id, { status: 'succeeded', providerRef: '71' });
    const { returns, ledger } = structuredClone(account);
    const stored = new Map<string, Refund>();
    observe(account, stored, { ...paidLike(started, '71', 6), ofReturn: 0 });
    expect(account).toMatchObject({ returns, ledger });
    expect(stored.get('71')).toMatchObject({ id: started.id, external: { platform: 'shopify', id: '71' } });
  });

  const other: readonly (readonly [string, Begun, (same: PlatformRefund) => Paid])[] = [
    ['of another amount', one, (same) => ({ ...same, ofReturn: 0, amount: eur(1999) })],
    ['of a part', one, (same) => ({ ...same, ofReturn: 0, amount: eur(1000) })],
    ['of other units', one, (same) => ({ ...same, ofReturn: 0, lines: [{ orderLineId: '2', quantity: 2 }] })],
    ['of another return', one, (same) => ({ ...same, ofReturn: 1 })],
    ['paid before ours was begun', one, (same) => ({ ...same, ofReturn: 0, occurredAt: minute(4) })],
    [
      'of another reference',
      { ...one, reported: ['submitted'] },
      (same) => ({ ...same, ofReturn: 0, providerRef: 'pi_2' }),
    ],
    ['after ours succeeded', { ...one, reported: ['succeeded'] }, (same) => ({ ...same, ofReturn: 0 })],
    ['after ours was cancelled', { ...one, reported: ['cancelled'] }, (same) => ({ ...same, ofReturn: 0 })],
  ];
  it.each(other)('stays beside a refund %s', (_, ours, like) => {
    const account = shop();
    const started = begin(account, ours);
    if (ours.reported[0] === 'submitted') report(account, started.id, { status: 'unknown', providerRef: 'pi_1' });
    const before = refundOf(account, started.id);
    const paid = like(paidLike(started, '71', 6));
    const given = account.ledger.given.amount;
    observe(account, new Map(), paid);
    expect(refundOf(account, started.id)).toEqual(before);
    expect(account.ledger.given.amount).toBe(given + paid.amount.amount);
  });

  it('is not settled by another currency', () => {
    const started = begin(shop(), one);
    const same = paidLike(started, '71', 6);
    expect(findPaidRefund([started], same)).toBe(started);
    expect(findPaidRefund([started], { ...same, amount: { ...same.amount, currency: 'USD' } })).toBeUndefined();
  });

  it('settles by whole seconds, as shops report them', () => {
    const started = { ...begin(shop(), one), recordedAt: '2026-11-21T08:05:00.900Z' };
    expect(findPaidRefund([started], paidLike(started, '71', 5))).toBe(started);
  });
});

/** A payment in the shop: like one of the refunds begun here, or with a difference. */
type Payment = { readonly like: number; readonly minutes: number; readonly more: number };

const histories = fc.record({
  begun: fc.array(
    fc.record({
      ofReturn: fc.nat(1),
      line: fc.constantFrom('1', '2'),
      quantity: fc.integer({ min: 1, max: 2 }),
      at: fc.integer({ min: 1, max: 4 }),
      reported: fc.constantFrom<readonly ReportedRefundStatus[]>(...unpaid, ['cancelled']),
    }),
    { minLength: 1, maxLength: 3 },
  ),
  payments: fc.array(
    fc.record({
      like: fc.nat(2),
      minutes: fc.integer({ min: -2, max: 3 }),
      more: fc.constantFrom(0, 0, 0, 1, -1, 1000),
    }),
    { minLength: 1, maxLength: 4 },
  ),
  /** The order of the deliveries, each at least once. */
  deliveries: fc.array(fc.nat(3), { maxLength: 8 }),
  // A platform states units and returns, or it does not.
  statesUnits: fc.boolean(),
  namesReturns: fc.boolean(),
});

const hasUnits = ({ breakdown }: Refund, lines: PlatformRefund['lines'] = []): boolean =>
  lines[0]?.orderLineId === breakdown.lines[0]?.orderLineId && lines[0]?.quantity === breakdown.lines[0]?.quantity;

/** Counts the most pairs of a refund and a payment that are one, by trying all of them. */
const mostPairs = (payments: readonly Paid[], free: readonly (Refund & { ofReturn: number })[]): number => {
  const [first, ...others] = payments;
  if (first === undefined) return 0;
  const matching = free.filter(
    (refund) =>
      refund.status !== 'cancelled' &&
      refund.amount.amount === first.amount.amount &&
      refund.recordedAt <= first.occurredAt &&
      (first.ofReturn === undefined || first.ofReturn === refund.ofReturn) &&
      (first.lines === undefined || hasUnits(refund, first.lines)),
  );
  return Math.max(
    mostPairs(others, free),
    ...matching.map(
      (refund) =>
        1 +
        mostPairs(
          others,
          free.filter((one) => one !== refund),
        ),
    ),
  );
};

describe('refunds started here and payments in the shop', () => {
  it('are never booked twice, in any order of deliveries, and never settled by another sum', () => {
    const property = fc.property(histories, ({ begun: started, payments, deliveries, statesUnits, namesReturns }) => {
      const inTime = started.toSorted((a, b) => a.at - b.at);
      const play = (shown: (paid: readonly Paid[]) => readonly Paid[]) => {
        const account = shop();
        const ours = inTime.map((one) => ({ ...begin(account, one), ofReturn: one.ofReturn }));
        const paid = payments.map(({ like, minutes, more }: Payment, index): Paid => {
          const target = ours[like % ours.length] ?? ours[0];
          if (target === undefined) throw new Error('no refund was begun');
          const at = (inTime[ours.indexOf(target)]?.at ?? 0) + minutes;
          const { lines, ...same } = paidLike(target, String(index), at);
          return {
            ...same,
            amount: eur(same.amount.amount + more),
            ...(statesUnits && lines !== undefined && { lines }),
            ...(namesReturns && { ofReturn: target.ofReturn }),
          };
        });
        const stored = new Map<string, Refund>();
        for (const delivery of shown(paid)) observe(account, stored, delivery);
        return { account, ours, paid, stored };
      };
      const first = play((paid) => paid);
      const { account, ours, paid, stored } = first;
      const settled = account.returns.flatMap(({ refunds }) => refunds).filter(({ settledBy }) => settledBy);
      for (const { settledBy, amount } of settled)
        expect(paid.find(({ externalId }) => externalId === settledBy?.id)?.amount).toEqual(amount);
      expect(new Set(settled.map(({ settledBy }) => settledBy?.id)).size).toBe(settled.length);
      expect(settled).toHaveLength(mostPairs(paid, ours));
      const live = ours.filter(({ status }) => status !== 'cancelled').map(({ amount }) => amount.amount);
      const alone = paid.filter(({ externalId }) => stored.get(externalId)?.attempts.length === 0);
      const expected = [...live, ...alone.map(({ amount }) => amount.amount)].reduce((sum, one) => sum + one, 0);
      expect(account.ledger.given.amount).toBe(expected);
      expect(sumOfRefunds(account)).toBeLessThanOrEqual(expected);
      const shuffled = play((all) => [
        ...deliveries.flatMap((index) => all[index % all.length] ?? []),
        ...all.toReversed(),
        ...all,
      ]);
      expect(shuffled.account.ledger.given.amount).toBe(expected);
      const statuses = (one: Account) => ours.map(({ id }) => refundOf(one, id).status);
      expect(statuses(shuffled.account)).toEqual(statuses(account));
    });
    fc.assert(property, { numRuns: runs(2000) });
  });
});
