import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { withStatutoryFloor } from '../../../lib/domain/policies/law/statutory-floor.ts';
import { statutoryRules } from '../../../lib/domain/policies/law/statutory-rules.ts';
import { defaultTerms } from '../../../lib/domain/policies/terms/policy-terms.ts';
import { complete, expire } from '../../../lib/domain/returns/commands/endings.ts';
import { inspect } from '../../../lib/domain/returns/commands/goods/inspect.ts';
import { receive } from '../../../lib/domain/returns/commands/goods/receive.ts';
import { approve, reject, requestInfo } from '../../../lib/domain/returns/commands/request/review-request.ts';
import { createReturn } from '../../../lib/domain/returns/commands/request/create-return.ts';
import { refusedUngranted } from '../../../lib/domain/returns/goods/quantities.ts';
import { appendEntries } from '../../../lib/domain/returns/history/history.ts';
import type { Return } from '../../../lib/domain/returns/model/return.ts';
import { emptyLedger } from '../../../lib/domain/returns/money/order-ledger.ts';
import { owed } from '../../../lib/domain/returns/money/recovery.ts';
import { deadlinesOf, expiresAt } from '../../../lib/domain/returns/rules/deadlines.ts';
import type { Situation } from '../../../lib/domain/returns/situation.ts';
import { eur, order, orderLine } from '../../support/orders.ts';
import { afterwards, type Case, openCase, run, sealed, situationOf, start } from '../../support/return-case.ts';
import { runs } from '../../support/samples.ts';
import { requestedUnits } from './model/model.ts';
import { perform } from './model/perform.ts';
import { lives } from './model/steps.ts';

const floor = { law: 'EU 2011/83', fees: [] };
const terms = { ...defaultTerms, floor, deadlines: { ...defaultTerms.deadlines, answerByDays: 14 } };
const violation = { failure: { code: 'statutory_floor_violation', detail: expect.stringContaining('EU 2011/83') } };
const floorOverride = { reason: 'abuse' };

const refuseAll = (situation: Situation) =>
  inspect(situation, {
    lines: [{ id: 'ins_1', lineId: 'a', quantity: 3, outcome: 'refuse', disposition: 'destroy' }],
  });
const approved = () => run(openCase(undefined, { terms }), (situation) => approve(situation, {}));
const arrived = () =>
  run(approved(), (situation) => receive(situation, { lines: [{ lineId: 'a', quantity: 3 }] }, ['x']));
const accepted = () =>
  run(arrived(), (situation) =>
    inspect(situation, { lines: [{ id: 'ins_1', lineId: 'a', quantity: 3, outcome: 'accept' }] }),
  );

describe('statutory floor', () => {
  it('is not lost when the customer leaves a question unanswered', () => {
    const questioned = run(openCase(undefined, { terms }), (situation) =>
      requestInfo(situation, { id: 'msg_1', text: sealed('msg_1') }),
    );
    expect(expire(situationOf(questioned))).toMatchObject(violation);
    expect(expiresAt(questioned.state)).toBe(undefined);
  });

  it('is not lost by an inspection, except with an override, which records a discrepancy', () => {
    const situation = situationOf(arrived());
    expect(refuseAll(situation)).toMatchObject(violation);
    const overridden = refuseAll({ ...situation, floorOverride });
    expect(overridden).toMatchObject({
      value: {
        events: [
          { type: 'inspection.recorded' },
          {
            type: 'discrepancy.found',
            data: { discrepancies: [{ code: 'statutory_floor_violation', detail: expect.stringContaining('abuse') }] },
          },
        ],
      },
    });
  });

  it('is not waived by completing the return, except with an override', () => {
    const situation = situationOf(accepted());
    const waiver = { reason: sealed('waiver') };
    expect(complete(situation, { waiver })).toMatchObject(violation);
    expect(complete({ ...situation, floorOverride }, { waiver }).ok).toBe(true);
  });

  it('approves at once without a policy, when the right is certain', () => {
    const facts = order({
      country: 'DE',
      lines: [orderLine({ deliveries: [{ quantity: 3, at: '2026-11-20T10:00:00.000Z' }] })],
    });
    const lines = [{ orderLineId: '1', quantity: 1, reason: { code: 'fit.other' } }];
    const within = withStatutoryFloor(statutoryRules, defaultTerms, facts, { lines }, '2026-11-21T08:00:00.000Z');
    const ids = { id: 'ret_1', rmaNumber: '0', lineIds: ['a'], subject: 'x' };
    const situation = { order: facts, ledger: emptyLedger, now: start };
    expect(createReturn(situation, { lines }, within, ids)).toMatchObject({
      value: { events: [{ type: 'return.requested' }, { type: 'return.approved' }] },
    });
    const unknown = order({ country: 'DE', lines: [orderLine()] });
    const uncertain = withStatutoryFloor(statutoryRules, defaultTerms, unknown, { lines }, '2026-11-21T08:00:00.000Z');
    expect(uncertain.approval).toBe('manual');
  });
});

it('rights and due dates count from the time of the request on the platform', () => {
  const lines = [{ orderLineId: '1', quantity: 1, reason: { code: 'fit.other' } }];
  const occurredAt = '2026-11-01T09:00:00.000Z';
  const observed = { platform: 'shopify', externalId: '7', occurredAt };
  const decision = createReturn(
    { order: order(), ledger: emptyLedger, now: start, observed },
    { lines, managedBy: 'platform' },
    { ...terms, deadlines: { ...terms.deadlines, refundDueDays: 14 } },
    { id: 'ret_1', rmaNumber: '0', lineIds: ['a'], subject: 'x' },
  );
  if (!decision.ok) throw new Error(decision.failure.code);
  const metadata = {
    at: start,
    actor: { clientId: 'shop' },
    causationId: 'r',
    correlationId: 't',
    policyVersion: null,
  };
  const { state } = appendEntries(undefined, decision.value.events, metadata);
  expect(state).toMatchObject({ requestedAt: occurredAt, createdAt: start });
  expect(deadlinesOf(state).refundDueBy).toBe('2026-11-15T09:00:00.000Z');
});

const facts = order({
  lines: [
    orderLine({ lineId: '1', quantity: 7, unitPrice: eur(345) }),
    orderLine({ lineId: '2', unitPrice: eur(1999) }),
  ],
});
const requestedLines = requestedUnits.map((quantity, at) => ({ orderLineId: at === 1 ? '2' : '1', quantity }));

/** Returns whether the customer has less than the law requires: protected units without a refund, or money owed. */
const isBelow = (state: Return): boolean =>
  state.lines.some((line) => line.quantities.rejected > 0 || refusedUngranted(line) > 0) ||
  (state.status === 'completed' && owed(state) > 0);

it('no command violates the statutory floor without an override, which records a discrepancy', () => {
  const met = { rejected: 0, overridden: 0 };
  fc.assert(
    fc.property(lives(24), fc.boolean(), ({ choices }, mayOverride) => {
      let now: Case = openCase(requestedLines, { facts, terms: { ...terms, refundTiming: 'received' } });
      choices.forEach(({ among, admin }, serial) => {
        for (const step of among) {
          if (step.name === 'createReturn') return;
          const override = mayOverride && admin ? { floorOverride } : {};
          const decision = perform({ ...situationOf(now, { admin }), ...override }, step, serial);
          if (!decision.ok && decision.failure.code === 'statutory_floor_violation') met.rejected += 1;
          if (!decision.ok || decision.value === undefined) continue;
          now = afterwards(now, decision.value);
          break;
        }
        if (!isBelow(now.state)) return;
        met.overridden += 1;
        expect(mayOverride).toBe(true);
        expect(now.state.discrepancies).toMatchObject([
          { code: 'statutory_floor_violation' },
          ...now.state.discrepancies.slice(1),
        ]);
      });
    }),
    { numRuns: runs(120, 4), seed: 20261124 },
  );
  expect(Math.min(met.rejected, met.overridden)).toBeGreaterThan(50);
});

it('an admin may reject protected units only with an override', () => {
  const situation = situationOf(openCase(undefined, { terms }));
  expect(reject(situation, { code: 'worn' })).toMatchObject(violation);
  expect(reject({ ...situation, floorOverride }, { code: 'worn' }).ok).toBe(true);
});
