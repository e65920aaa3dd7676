import { expect } from 'vitest';
import { defaultTerms } from '../../../../lib/domain/policies/terms/policy-terms.ts';
import type { Entry } from '../../../../lib/domain/returns/history/entry.ts';
import { fold } from '../../../../lib/domain/returns/history/fold.ts';
import type { Deduction } from '../../../../lib/domain/returns/model/refund.ts';
import type { Return } from '../../../../lib/domain/returns/model/return.ts';
import { returnable } from '../../../../lib/domain/returns/money/line-units.ts';
import { ledgerLine } from '../../../../lib/domain/returns/money/order-ledger.ts';
import { recoveryDue as dueNow, owed as owedNow } from '../../../../lib/domain/returns/money/recovery.ts';
import { eur, order, orderLine } from '../../../support/orders.ts';
import { afterwards, requestReturn, type Case, openCase, situationOf } from '../../../support/return-case.ts';
import { countEdge, countFailure, type Coverage } from './coverage.ts';
import { evaluateStep } from './evaluate-step.ts';
import { accountOf, isSent, type Model, requestedUnits, sold, spare, sum, wayBackFee, type World } from './model.ts';
import { given, owed, recoveryDue } from './money.ts';
import { perform } from './perform.ts';
import { reachesReduced, reducedByLine } from './reductions.ts';
import type { Step } from './step.ts';
import type { Life } from './steps.ts';

/** Unit prices of 3.45 and 19.99, stated in different forms. */
const facts = order({
  lines: [
    orderLine({ lineId: '1', quantity: 7, unitPrice: eur(333), discountTotal: eur(14), taxTotal: eur(98) }),
    orderLine({ lineId: '2', quantity: 3, unitPrice: eur(1999), taxTotal: eur(957), taxIncluded: true }),
  ],
});

const begin = (inAdvance: boolean): { readonly world: World; readonly now: Case } => ({
  world: {
    now: {
      status: 'requested',
      lines: requestedUnits.map((quantity) => ({
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
      parcels: [],
      exchanges: [],
      unexpected: 0,
      undisposed: 0,
      feeWaived: false,
      recoveries: [],
      writtenOff: { goods: 0, differences: 0 },
    },
    inAdvance,
    wasApproved: false,
    hadReceipt: false,
    released: [],
    refusals: requestedUnits.map(() => []),
    elsewhere: sold.map(() => 0),
  },
  now: openCase(
    requestedUnits.map((quantity, at) => ({ orderLineId: at === 1 ? '2' : '1', quantity })),
    {
      facts,
      terms: {
        ...defaultTerms,
        refundTiming: inAdvance ? 'approved' : 'received',
        fees: { ...defaultTerms.fees, returnShipping: wayBackFee },
        deadlines: { ...defaultTerms.deadlines, shipByDays: 30, answerByDays: 14 },
      },
    },
  ),
});

const unitsIn = (lines: Return['lines'], named: readonly { readonly lineId: string; readonly quantity: number }[]) =>
  lines.map(({ id }) => sum(named.filter(({ lineId }) => lineId === id).map(({ quantity }) => quantity)));

const feeIn = (deductions: readonly Deduction[]) =>
  sum(deductions.map(({ type, amount }) => (type === 'paid_before' ? 0 : amount.amount)));

const writeOffs = ({ recoveries }: Pick<Return, 'recoveries'>) =>
  recoveries.filter(({ type }) => type === 'written_off');

/** Converts a return of the domain to the state of the model. */
const asModel = ({ status, lines, unexpected, ...state }: Return): Model => ({
  status,
  lines: lines.map(({ quantities, missing }) => {
    const { requested, approved, rejected, cancelled, received, accepted, refused } = quantities;
    const grantedMissing = sum(missing.map(({ granted }) => granted));
    return {
      requested,
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
  refunds: state.refunds.map(({ status: at, returnLines, amount, breakdown }) => {
    const { reductions: [reduced] = [], extras: [extra] = [] } = breakdown;
    return {
      status: at,
      units: unitsIn(lines, returnLines),
      cents: amount.amount - (extra?.amount.amount ?? 0),
      fee: feeIn(breakdown.deductions),
      differences: breakdown.exchange?.amount ?? 0,
      ...(extra && { extra: extra.amount.amount }),
      ...(reduced && {
        reduced: { line: lines.findIndex(({ id }) => id === reduced.lineId), units: reduced.quantity },
      }),
    };
  }),
  parcels: state.parcels.map((parcel) => ({
    direction: parcel.direction,
    status: parcel.status,
    wasInTransit: parcel.events.some(isSent),
    units: unitsIn(lines, parcel.contents),
  })),
  exchanges: state.exchanges.map(({ lineId, quantity, newItem, status: at }) => ({
    line: lines.findIndex(({ id }) => id === lineId),
    units: quantity,
    price: newItem.price?.amount,
    status: at,
  })),
  unexpected: sum(unexpected.map(({ quantity }) => quantity)),
  undisposed: sum(unexpected.filter(({ disposition }) => disposition === undefined).map(({ quantity }) => quantity)),
  feeWaived: state.waivers.length > 0,
  recoveries: state.recoveries
    .filter(({ type }) => type === 'recovered')
    .map((one) => ({
      units: unitsIn(lines, one.lines),
      cents: one.amount.amount,
      fee: feeIn(one.fees),
      differences: one.exchange?.amount ?? 0,
      after: state.refunds.filter(({ recordedAt }) => recordedAt <= one.at).length,
    })),
  writtenOff: {
    goods: sum(writeOffs(state).map(({ amount, exchange }) => amount.amount + (exchange?.amount ?? 0))),
    differences: sum(writeOffs(state).map(({ exchange }) => 0 - (exchange?.amount ?? 0))),
  },
});

/** Checks the order's account against the model, and the invariants of every state. */
const expectSound = ({ now: model, elsewhere }: World, { state, ledger }: Case): void => {
  const lines = sold.map((_, at) => ledgerLine(ledger, `${at + 1}`));
  const { held, alone, compensated } = accountOf(model);
  expect(lines.map((line) => line.held)).toEqual(held.map((units, at) => units + (elsewhere[at] ?? 0)));
  expect(lines.map(({ refundedAlone }) => refundedAlone)).toEqual(alone);
  expect(lines.map(({ granted }) => granted.units)).toEqual(compensated);
  expect(lines.map(({ reduced }) => ({ units: reduced?.units ?? 0, cents: reduced?.gross ?? 0 }))).toEqual(
    reducedByLine(model),
  );
  expect(lines.map(({ granted }) => granted.gross)).toEqual(
    [345, 1999].map((price, at) => price * (compensated[at] ?? 0)),
  );
  expect(lines.map(({ granted }) => granted.tax)).toEqual([14, 319].map((tax, at) => tax * (compensated[at] ?? 0)));
  expect(ledger.given.amount).toBe(given(model));
  const free = spare({ now: model, elsewhere }).map((units) => Math.max(0, units));
  expect(facts.facts.lines.map((line) => returnable(ledger, line))).toEqual(free);
  lines.forEach((line, at) => expect(line.held + line.refundedAlone).toBeLessThanOrEqual(sold[at] ?? 0));
  lines.forEach((line, at) => expect(line.granted.units).toBeLessThanOrEqual(sold[at] ?? 0));
  for (const line of model.lines) {
    const { requested, approved, rejected, cancelled, received, missing, accepted, refused } = line;
    const rest = [
      requested - approved - rejected,
      requested - rejected - cancelled - received - missing,
      received - accepted - refused,
    ];
    expect(Math.min(...Object.values(line), ...rest)).toBeGreaterThanOrEqual(0);
  }
  expect(dueNow(state)).toBe(recoveryDue(model));
  expect(owedNow(state)).toBe(owed(model));
};

const decide = (now: Case, step: Step, admin: boolean, serial: number) => {
  if (step.name === 'createReturn')
    return requestReturn(facts, now.ledger, [{ orderLineId: `${step.orderLine + 1}`, quantity: step.units }]);
  return perform(situationOf(now, { admin }), step, serial);
};

/**
 * Runs a life in the model and in the domain, and compares the result or failure of each step.
 *
 * @param visit sees each state of the domain
 * @returns the history of the domain
 */
export const expectAgreement = (
  { inAdvance, choices }: Life,
  coverage: Coverage,
  visit: (now: Case) => void = () => undefined,
): readonly Entry[] => {
  let { world, now } = begin(inAdvance);
  choices.forEach(({ among, willing, admin }, serial) => {
    const before = world;
    const step = (willing ? among.find((one) => evaluateStep(before, one, admin).ok) : undefined) ?? among[0];
    if (step === undefined) return;
    const verdict = evaluateStep(world, step, admin);
    if (verdict.ok && reachesReduced(verdict.world.now)) return;
    const decision = decide(now, step, admin, serial);
    const code = verdict.ok ? 'done' : verdict.code;
    const same = code === (decision.ok ? 'done' : decision.failure.code);
    if (!same) expect({ step, world, decision }).toEqual({ step, world, code });
    if (!verdict.ok) return countFailure(coverage, step.name, verdict);
    if (!decision.ok) return;
    countEdge(coverage, step.name, world.now.status, verdict.world.now.status);
    ({ world } = verdict);
    if (step.name === 'createReturn') now = { ...now, ledger: decision.value?.ledger ?? now.ledger };
    else if (decision.value !== undefined) now = afterwards(now, decision.value);
    expect(asModel(now.state)).toEqual(world.now);
    expectSound(world, now);
    visit(now);
  });
  expect(now.entries.reduce<Return | undefined>(fold, undefined)).toEqual(now.state);
  return now.entries;
};
