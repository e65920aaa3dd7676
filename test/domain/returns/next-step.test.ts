import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { defaultTerms } from '../../../lib/domain/policies/terms/policy-terms.ts';
import { complete } from '../../../lib/domain/returns/commands/endings.ts';
import { inspect } from '../../../lib/domain/returns/commands/goods/inspect.ts';
import { closeReceipt } from '../../../lib/domain/returns/commands/goods/missing-units.ts';
import { addParcel } from '../../../lib/domain/returns/commands/goods/parcels.ts';
import { receive } from '../../../lib/domain/returns/commands/goods/receive.ts';
import { exchange } from '../../../lib/domain/returns/commands/money/exchange.ts';
import { recordRefundResult } from '../../../lib/domain/returns/commands/money/record-refund-result.ts';
import { refundReturn } from '../../../lib/domain/returns/commands/money/refund-return.ts';
import { approve, reject, requestInfo } from '../../../lib/domain/returns/commands/request/review-request.ts';
import { recoveryDue } from '../../../lib/domain/returns/money/recovery.ts';
import { awaitsResult, moneyOf, unsettledRefunds } from '../../../lib/domain/returns/money/refund-status.ts';
import { allowedActions } from '../../../lib/domain/returns/rules/allowed-actions.ts';
import { blockerOf } from '../../../lib/domain/returns/rules/guards/guards.ts';
import { nextStep, type NextStep } from '../../../lib/domain/returns/rules/next-step.ts';
import { endedStatuses } from '../../../lib/domain/returns/rules/states.ts';
import { anyLife, visitLife } from '../../support/any-return.ts';
import { type Case, openCase, requestedCase, run, sealed, situationOf, type Step } from '../../support/return-case.ts';
import { runsEveryCase } from '../../support/samples.ts';
import { expectAgreement } from './model/agree.ts';
import { lives } from './model/steps.ts';

type Result = Parameters<typeof recordRefundResult>[1]['status'];

const approved: Step = (now) => approve(now, {});
const rejected: Step = (now) => reject(now, { code: 'final_sale' });
const asked: Step = (now) => requestInfo(now, { id: 'msg_1', text: sealed('msg_1') });
const received: Step = (now) => receive(now, { lines: [{ lineId: 'a', quantity: 3 }] }, ['unx_1']);
const partlyReceived: Step = (now) => receive(now, { lines: [{ lineId: 'a', quantity: 1 }] }, ['unx_1']);
const inspected =
  (outcome: 'accept' | 'refuse', quantity = 3): Step =>
  (now) =>
    inspect(now, {
      lines: [
        {
          id: `ins_${now.state.version}`,
          lineId: 'a',
          quantity,
          outcome,
          disposition: outcome === 'accept' ? 'restock' : 'return_to_customer',
        },
      ],
    });
const booked: Step = (now) => refundReturn(now, {}, { id: 'rfd_1' });
const reported =
  (status: Result): Step =>
  (now) =>
    recordRefundResult(now, { refundId: 'rfd_1', status }, now.now);
const paid: readonly Step[] = [booked, reported('submitted'), reported('succeeded')];
const shipped: Step = (now) => addParcel(now, { status: 'in_transit' }, 'pcl_1');
const closed: Step = (now) => closeReceipt(now, {});
const swapped: Step = (now) =>
  exchange(now, 'exc_1', { lineId: 'a', quantity: 3, newItem: { sku: 'SHIRT-L', quantity: 1 } });
const completed: Step = (now) => complete(now, {});

const inAdvance = { ...defaultTerms, refundTiming: 'approved' } as const;
const begin = (...steps: readonly Step[]): Case => run(requestedCase([3]), ...steps);
const beginPaid = (...steps: readonly Step[]): Case => run(requestedCase([3], inAdvance), ...steps);

const ofPlatform = (): Case => {
  const one = openCase();
  return { ...one, state: { ...one.state, managedBy: 'platform' } };
};

describe('nextStep', () => {
  it.each<readonly [state: string, now: () => Case, step: NextStep]>([
    ['a new request', () => begin(), { action: 'approve', by: 'staff' }],
    ['a request that a platform manages', ofPlatform, { action: 'approve', by: 'platform' }],
    ['an open question', () => begin(asked), { action: 'provideInfo', by: 'customer' }],
    ['an approval', () => begin(approved), { action: 'addParcel', by: 'customer' }],
    ['a parcel on its way', () => begin(approved, shipped), { action: 'receive', by: 'warehouse' }],
    ['received goods', () => begin(approved, received), { action: 'inspect', by: 'warehouse' }],
    [
      'inspected goods, when others are to come',
      () => beginPaid(approved, ...paid, partlyReceived, inspected('accept', 1)),
      { action: 'receive', by: 'warehouse' },
    ],
    [
      'accepted goods, before goods that are to come',
      () => begin(approved, partlyReceived, inspected('accept', 1)),
      { action: 'refund', by: 'finance' },
    ],
    ['refused goods', () => begin(approved, received, inspected('refuse')), { action: 'addParcel', by: 'warehouse' }],
    ['accepted goods', () => begin(approved, received, inspected('accept')), { action: 'refund', by: 'finance' }],
    ['a refund in advance', () => beginPaid(approved), { action: 'refund', by: 'finance' }],
    [
      'a booked refund',
      () => begin(approved, received, inspected('accept'), booked),
      { action: 'recordRefundResult', by: 'finance' },
    ],
    [
      'a submitted refund',
      () => begin(approved, received, inspected('accept'), booked, reported('submitted')),
      { action: 'recordRefundResult', by: 'finance' },
    ],
    [
      'a failed refund, before goods that are to come',
      () => beginPaid(approved, booked, reported('submitted'), reported('failed')),
      { action: 'recordRefundResult', by: 'finance' },
    ],
    [
      'a booked refund, after goods that are to come',
      () => beginPaid(approved, booked),
      { action: 'addParcel', by: 'customer' },
    ],
    [
      'an exchange',
      () => begin(approved, swapped, received, inspected('accept')),
      { action: 'exchangeResult', by: 'staff' },
    ],
    [
      'a paid refund of missing goods',
      () => beginPaid(approved, ...paid, closed),
      { action: 'recordRecovery', by: 'finance' },
    ],
    [
      'a paid refund',
      () => begin(approved, received, inspected('accept'), ...paid),
      { action: 'complete', by: 'staff' },
    ],
    [
      'a refund that came back after the end',
      () => begin(approved, received, inspected('accept'), ...paid, completed, reported('reversed')),
      { action: 'refund', by: 'finance' },
    ],
  ])('after %s', (_, now, step) => {
    const one = now();
    expect(nextStep(one.state)).toEqual(step);
    expect(allowedActions(situationOf(one))).toContainEqual(
      expect.objectContaining({ action: step.action, allowed: true }),
    );
  });

  it.each<readonly [state: string, now: () => Case]>([
    ['a rejection', () => begin(rejected)],
    ['a completion with a paid refund', () => begin(approved, received, inspected('accept'), ...paid, completed)],
  ])('is absent after %s', (_, now) => {
    expect(nextStep(now().state)).toBeUndefined();
  });
});

/** Checks the next step of a state against the allowed actions, and against what is unsettled. */
const expectFit = (now: Case, seen: Set<string>): void => {
  const { state } = now;
  const step = nextStep(state);
  const isEnded = endedStatuses.has(state.status);
  const isRefundOpen = unsettledRefunds(state).some(awaitsResult);
  const isDue = moneyOf(state).due > 0;
  if (step === undefined) {
    // An unexpected item blocks the completion, and no command disposes of it before goods arrive.
    const blocked = blockerOf(state, 'complete')?.code;
    if (!isEnded) expect([state.status, blocked]).toEqual(['approved', 'unexpected_without_disposition']);
    expect({ isRefundOpen, recovery: recoveryDue(state) }).toEqual({ isRefundOpen: false, recovery: 0 });
    return;
  }
  const actions = allowedActions(situationOf(now));
  const { allowed, blockedBy } = actions.find(({ action }) => action === step.action) ?? {};
  expect({ status: state.status, step, allowed, blockedBy }).toMatchObject({ allowed: true, blockedBy: undefined });
  if (isEnded)
    expect({ step, isSettled: !isRefundOpen && !isDue && recoveryDue(state) === 0 }).toMatchObject({
      isSettled: false,
    });
  seen.add(`${step.action} ${step.by}`);
};

describe('nextStep of every reachable state', () => {
  const every = [
    'addParcel customer',
    'addParcel warehouse',
    'approve staff',
    'complete staff',
    'exchangeResult staff',
    'inspect warehouse',
    'provideInfo customer',
    'receive warehouse',
    'recordRecovery finance',
    'recordRefundResult finance',
    'refund finance',
  ];

  it('is allowed, and an ended return has one only for unsettled money, over lives of the model', () => {
    const seen = new Set<string>();
    fc.assert(
      fc.property(lives(24), (life) => void expectAgreement(life, new Map(), (now) => expectFit(now, seen))),
      { numRuns: runsEveryCase() ? 200 : 20, seed: 20261125 },
    );
    expect(every).toEqual(expect.arrayContaining([...seen]));
    // A sample checks each step that it meets. Only a run of all cases meets all of them.
    if (!runsEveryCase()) return;
    expect([...seen].toSorted()).toEqual(every);
  });

  it('is allowed, and an ended return has one only for unsettled money, over any terms and external refunds', () => {
    const seen = new Set<string>();
    fc.assert(
      fc.property(anyLife, (life) => visitLife(life, (now) => expectFit(now, seen))),
      { numRuns: runsEveryCase() ? 1_500 : 100, seed: 20261125 },
    );
    expect(every).toEqual(expect.arrayContaining([...seen]));
  });
});
