import fc from 'fast-check';
import { expect } from 'vitest';
import { paidTotal } from '../../../lib/returns/amounts.ts';
import { fold } from '../../../lib/returns/fold.ts';
import { ledgerLine } from '../../../lib/returns/ledger.ts';
import type { Return } from '../../../lib/returns/return.ts';
import { eur, order, orderLine } from '../../support/orders.ts';
import { afterwards, openCase, situationOf, type Case } from '../../support/return-case.ts';
import { heldUnits, judge, refundedUnits, type Model, type Step } from './model.ts';
import { perform } from './perform.ts';

const sold = [7, 3];
const requested = [4, 2];

const facts = order({
  lines: [
    orderLine({ lineId: '1', quantity: 7, unitPrice: eur(333), discountTotal: eur(11), taxTotal: eur(97) }),
    orderLine({ lineId: '2', quantity: 3, unitPrice: eur(1999) }),
  ],
});

const units = fc.tuple(fc.nat(3), fc.nat(2));
const some = units.filter(([one, two]) => one + two > 0);
const statuses = ['submitted', 'cancelled', 'succeeded', 'failed', 'unknown', 'reversed'] as const;

/** Steps with arbitrary quantities: model and domain say which of them may be, each for itself. */
const steps: fc.Arbitrary<Step> = fc.oneof(
  fc.record({ name: fc.constantFrom('approve', 'cancel', 'receive', 'refund'), units: some }),
  fc
    .record({ name: fc.constant('inspect'), accept: units, refuse: units })
    .filter(({ accept, refuse }) => Math.max(...accept, ...refuse) > 0),
  fc.record({ name: fc.constant('grant'), of: fc.constantFrom('missing', 'refused'), units: some }),
  fc.record({ name: fc.constant('result'), refund: fc.nat(1), status: fc.constantFrom(...statuses) }),
  fc.record({
    name: fc.constantFrom('reject', 'cancelAll', 'requestInfo', 'provideInfo', 'closeReceipt', 'complete'),
  }),
);

/** Some steps to choose from; `willing` takes the first that the model allows, so that returns get far. */
type Choice = { readonly among: readonly Step[]; readonly willing: boolean };

/** Sequences of choices, up to so many. */
export const sequences = (maxLength: number): fc.Arbitrary<readonly Choice[]> =>
  fc.array(
    fc.record({
      among: fc.array(steps, { minLength: 8, maxLength: 8 }),
      willing: fc.integer({ min: 0, max: 9 }).map((dice) => dice < 7),
    }),
    { maxLength, size: 'max' },
  );

const begin = (): { readonly model: Model; readonly now: Case } => ({
  model: {
    status: 'requested',
    lines: requested.map((quantity) => ({
      requested: quantity,
      approved: 0,
      rejected: 0,
      cancelled: 0,
      received: 0,
      missing: 0,
      accepted: 0,
      refused: 0,
      grantedMissing: 0,
      grantedRefused: 0,
    })),
    refunds: [],
    unexpected: 0,
  },
  now: openCase(
    requested.map((quantity, at) => ({ orderLineId: `${at + 1}`, quantity })),
    { facts },
  ),
});

/** What the model knows of a return, read off the domain. */
const asModel = ({ status, lines, refunds, unexpected }: Return): Model => ({
  status,
  lines: lines.map(({ quantities, missing }) => {
    const { requested: asked, approved, rejected, cancelled, received, accepted, refused } = quantities;
    const grantedMissing = missing.reduce((sum, { granted }) => sum + granted, 0);
    return {
      requested: asked,
      approved,
      rejected,
      cancelled,
      received,
      missing: quantities.missing,
      accepted,
      refused,
      grantedMissing,
      grantedRefused: quantities.granted - grantedMissing,
    };
  }),
  refunds: refunds.map(({ status: at, returnLines }) => ({
    status: at,
    units: lines.map(({ id }) => returnLines.find(({ lineId }) => lineId === id)?.quantity ?? 0),
  })),
  unexpected: unexpected.reduce((sum, { quantity }) => sum + quantity, 0),
});

/** What follows from the model for the order's account, and what never may be exceeded. */
const expectAccount = (model: Model, { state, ledger, entries }: Case): void => {
  expect(sold.map((_, at) => ledgerLine(ledger, `${at + 1}`).held)).toEqual(heldUnits(model));
  expect(sold.map((_, at) => ledgerLine(ledger, `${at + 1}`).granted.units)).toEqual(refundedUnits(model));
  const live = state.refunds.filter(({ status }) => status !== 'cancelled' && status !== 'reversed');
  expect(ledger.refunded.amount).toBe(live.reduce((sum, { amount }) => sum + amount.amount, 0));
  for (const line of facts.facts.lines)
    expect(BigInt(ledgerLine(ledger, line.lineId).granted.gross)).toBeLessThanOrEqual(paidTotal(line));
  expect(entries.reduce<Return | undefined>(fold, undefined)).toEqual(state);
};

/** What a run has been through: `command: from -> to` of what was done, `command: code` of what was refused. */
export type Coverage = Set<string>;

/** Goes through steps in the model and in the domain: each is done by both to the same end, or refused for the same reason. */
export const expectAgreement = (sequence: readonly Choice[], coverage: Coverage): void => {
  let { model, now } = begin();
  sequence.forEach(({ among, willing }, serial) => {
    const free = heldUnits(model).map((taken, at) => (sold[at] ?? 0) - taken);
    const before = model;
    const step = (willing ? among.find((one) => judge(before, one, free).ok) : undefined) ?? among[0];
    if (step === undefined) return;
    const verdict = judge(model, step, free);
    const decision = perform(situationOf(now, { admin: false }), step, serial);
    if (!verdict.ok || !decision.ok) {
      const codes = [verdict.ok ? 'done' : verdict.code, decision.ok ? 'done' : decision.failure.code];
      expect({ step, status: model.status, codes }).toEqual({
        step,
        status: model.status,
        codes: [codes[0], codes[0]],
      });
      coverage.add(`${step.name}: ${codes[0]}`);
      return;
    }
    coverage.add(`${step.name}: ${model.status} -> ${verdict.model.status}`);
    ({ model } = verdict);
    if (decision.value !== undefined) now = afterwards(now, decision.value);
    expect(asModel(now.state)).toEqual(model);
    expectAccount(model, now);
  });
};
