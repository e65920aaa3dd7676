import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { situationOf } from '../../support/money.ts';
import { runs } from '../../support/samples.ts';
import { type Act, type OneOrder } from './one-order/act.ts';
import { liveThroughRepaid, repaidStories } from './one-order/repay.ts';
import { settle } from './one-order/settle.ts';
import { expectSharedAccount, liveThrough, soldAs, type Story, stories, termsOf } from './one-order/share.ts';

const act = (name: Act['name'], units: readonly number[] = [0, 0, 0], dice = 0, which = 0): Act => ({
  name,
  which,
  units,
  dice,
});

/** Returns a story of an order in yen whose promotion needs eight of its ten units. */
const storyOf = (
  terms: Story['terms'],
  doings: readonly Act[],
  sold: Partial<Parameters<typeof soldAs>[0]> = {},
): Story => ({
  sold: soldAs({ currency: 'JPY', taxIncluded: false, shipping: 0, promotion: 'units', payments: undefined, ...sold }),
  terms,
  doings,
});

/** Returns the refunds of a return that are not external, in minor units. */
const refundsOf = ({ account }: OneOrder, index: number): readonly number[] =>
  (account.returns[index]?.refunds ?? []).flatMap(({ external, amount }) => (external ? [] : [amount.amount]));

describe('returns of one order', () => {
  it('never receive more than the amount paid, also with refunds outside all returns', () => {
    const done = new Map<string, number>();
    fc.assert(
      fc.property(stories(30), (story) => expectSharedAccount(story, done)),
      { numRuns: runs(400, 4), seed: 20261121 },
    );
    // All nineteen kinds of action were done.
    expect(done.size).toBe(19);
  });

  it('owe their balance, and are settled, also after recoveries, write-offs and waivers', () => {
    const done = new Map<string, number>();
    fc.assert(
      fc.property(repaidStories(24), (repaid) => {
        expect(settle(liveThroughRepaid(repaid, done))).toEqual([]);
      }),
      { numRuns: runs(300, 4), seed: 20261129 },
    );
    expect([...done.keys()].toSorted()).toEqual(['all', 'complete', 'off', 'part', 'waive']);
  });

  it('agree on the rounding of a promotion, and owe nothing of it for goods that did not come', () => {
    const one = liveThrough(
      storyOf(
        termsOf('approved'),
        [
          act('createReturn', [1, 1, 1]),
          act('receive', [0, 0, 0], 1),
          act('amendReturn', [0, 0, 0], 4),
          act('amendReturn', [1, 0, 0]),
          act('createReturn', [1, 2, 0]),
          act('exchange', [0, 0, 0], 3),
          act('payLater', [0, 0, 0], 1),
          act('closeReceipt', [0, 0, 0], 0, 1),
        ],
        { payments: { weights: [1], percent: 0 } },
      ),
    );
    expect(settle(one)).toEqual([]);
    expect(refundsOf(one, 1)).toEqual([]);
  });

  it('take no reduction of a price for rounding, also when the payments pay a part of the order', () => {
    const doings = [
      act('createReturn', [2, 0, 1], 1),
      act('exchange', [2, 0, 1]),
      act('exchangeResult', [2, 0, 1], 1),
      act('createReturn', [2, 1, 1]),
      act('recordRefund', [0, 1, 0], 10),
      act('receive', [0, 0, 0], 4),
      act('amendReturn', [1, 1, 0], 0, 1),
      act('exchange', [0, 0, 0], 7),
      act('refund', [2, 1, 0], 1, 1),
      act('exchange', [0, 0, 0], 3, 1),
      act('receive', [0, 0, 0], 1, 1),
    ];
    expect(
      settle(
        liveThrough(storyOf(termsOf('approved'), doings, { shipping: 80, payments: { weights: [1], percent: 60 } })),
      ),
    ).toEqual([]);
  });

  it('pay no dearer item with a difference of the shop that was paid as money', () => {
    const doings = [
      act('createReturn', [2, 0, 1], 1),
      act('approve', [2, 0, 1], 1),
      act('exchange', [2, 0, 1]),
      act('exchangeResult', [2, 0, 1], 1),
      act('recordRefund', [0, 0, 0], 7),
      act('amendReturn', [1, 0, 0]),
      act('recordRefund', [0, 0, 0], 4),
      act('exchange', [0, 0, 0], 2),
      act('amendReturn', [0, 2, 0]),
      act('exchange', [0, 0, 0], 3),
      act('amendReturn', [0, 0, 0], 10),
      act('exchange', [0, 0, 0], 4),
      act('exchange', [0, 0, 0], 3),
      act('exchange', [0, 0, 0], 0),
      act('exchange', [0, 0, 0], 11),
    ];
    const done = new Map<string, number>();
    expectSharedAccount(storyOf(termsOf('received'), doings), done);
    expect(done.get('exchange')).toBe(6);
  });

  it('give no goods for money that the customer has, while the customer owes for a dearer item', () => {
    const doings = [
      act('createReturn', [2, 0, 1], 1),
      act('exchange', [2, 0, 1]),
      act('exchangeResult', [2, 0, 1], 1),
      act('createReturn', [0, 1, 0]),
      act('recordRefund', [0, 0, 0], 6),
      act('exchange', [0, 0, 0], 10),
      act('createReturn', [2, 2, 2]),
      act('refund', [0, 0, 0], 0, 2),
      act('exchange', [0, 0, 0], 3),
    ];
    const done = new Map<string, number>();
    expectSharedAccount(storyOf(termsOf('approved'), doings, { promotion: null }), done);
    expect(done.get('exchange')).toBe(2);
  });

  it('leave a part of the price to the customer, also when it was recovered and fees take all goods', () => {
    const doings = [
      act('createReturn', [1, 1, 1], 1),
      act('approve', [1, 1, 1], 1),
      act('exchange', [1, 1, 1], 5),
      act('exchangeResult', [1, 1, 1], 1),
      act('recordRefund', [1, 0, 0], 5),
      act('closeReceipt'),
      act('exchangeResult', [0, 0, 0], 1),
      act('receive', [0, 0, 0], 1),
    ];
    const repaid = doings.map(() => ({ which: 0, kind: 'part' as const }));
    const one = liveThroughRepaid({ story: storyOf(termsOf('received'), doings), repaid }, new Map());
    expect(settle(one)).toEqual([]);
  });

  it('pay the last unit of a line less the reduction of the line, beside a unit that was paid twice', () => {
    const doings = [
      act('createReturn', [2, 0, 1], 1),
      act('approve', [2, 0, 1], 1),
      act('exchange', [2, 0, 1], 1),
      act('exchangeResult', [2, 0, 1], 1),
      act('recordRefund', [2, 1, 0], 1),
      act('amendReturn', [0, 1, 0]),
      act('recordRefund', [1, 1, 0], 4),
      act('receive', [0, 0, 0], 1),
      act('payLater', [0, 0, 0], 9),
    ];
    const one = liveThrough(storyOf(termsOf('received'), doings, { payments: { weights: [1], percent: 0 } }));
    // Of 2,760, the line gave 920 twice and a reduction of 115.
    expect(situationOf(one.account, 0).state.lines[2]?.amounts.gross.amount).toBe(805);
    expect(settle(one)).toEqual([]);
  });
});
