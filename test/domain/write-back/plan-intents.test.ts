import { describe, expect, it } from 'vitest';
import { cancel, complete } from '../../../lib/domain/returns/commands/endings.ts';
import { inspect } from '../../../lib/domain/returns/commands/goods/inspect.ts';
import { receive } from '../../../lib/domain/returns/commands/goods/receive.ts';
import { refundReturn } from '../../../lib/domain/returns/commands/money/refund-return.ts';
import { approve } from '../../../lib/domain/returns/commands/request/review-request.ts';
import type { Observation } from '../../../lib/domain/returns/model/order.ts';
import { plannedEffects } from '../../../lib/domain/write-back/plan-intents.ts';
import { approvedCase, type Case, requestedCase, run, type Step } from '../../support/return-case.ts';

/** Returns the actions that the last command of a case wants at the shop. */
const actionsAfter = (before: Case, step: Step): readonly string[] => {
  const after = run(before, step);
  return plannedEffects(after.state, after.entries.slice(before.entries.length)).map(({ action }) => action);
};

const received = run(approvedCase([2]), (situation) =>
  receive(situation, { lines: [{ lineId: 'a', quantity: 2 }] }, []),
);
const inspection: Step = (situation) =>
  inspect(situation, {
    lines: [{ id: 'ins_1', lineId: 'a', quantity: 2, outcome: 'accept', disposition: 'restock' }],
  });

describe('plannedEffects', () => {
  it('wants the decision of an approval', () => {
    expect(actionsAfter(requestedCase([2]), (situation) => approve(situation, {}))).toEqual(['approve']);
  });

  it('wants nothing of a command that repeats what a platform did', () => {
    const observed: Observation = { platform: 'web', externalId: '7', occurredAt: '2026-11-21T08:00:00.000Z' };
    expect(actionsAfter(requestedCase([2]), (situation) => approve({ ...situation, observed }, {}))).toEqual([]);
  });

  it('wants the end of a return, but not of some of its units', () => {
    const before = approvedCase([2]);
    expect(actionsAfter(before, (situation) => cancel(situation, { cancellation: {} }))).toEqual(['cancel']);
    const some: Step = (situation) => cancel(situation, { cancellation: {}, lines: [{ lineId: 'a', quantity: 1 }] });
    expect(actionsAfter(before, some)).toEqual([]);
  });

  it('wants goods as they are received and inspected', () => {
    expect(actionsAfter(received, inspection)).toEqual(['inspect']);
  });

  it('wants a refund that is not paid yet by the means of the customer', () => {
    const inspected = run(received, inspection);
    const refund =
      (fields: object): Step =>
      (situation) =>
        refundReturn(situation, fields, { id: 'rfd_1' });
    expect(actionsAfter(inspected, refund({}))).toEqual(['refund']);
    expect(actionsAfter(inspected, refund({ method: 'gift_card' }))).toEqual([]);
    expect(actionsAfter(inspected, refund({ result: { status: 'succeeded', providerRef: 'p' } }))).toEqual([]);
    const refunded = run(inspected, refund({ result: { status: 'succeeded', providerRef: 'p' } }));
    expect(actionsAfter(refunded, (situation) => complete(situation, {}))).toEqual(['close']);
  });
});
