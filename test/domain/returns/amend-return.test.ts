import { describe, expect, it } from 'vitest';
import { defaultTerms } from '../../../lib/domain/policies/terms/policy-terms.ts';
import { cancel } from '../../../lib/domain/returns/commands/endings.ts';
import { closeReceipt } from '../../../lib/domain/returns/commands/goods/missing-units.ts';
import { inspect } from '../../../lib/domain/returns/commands/goods/inspect.ts';
import { receive } from '../../../lib/domain/returns/commands/goods/receive.ts';
import { refundReturn } from '../../../lib/domain/returns/commands/money/refund-return.ts';
import { type AmendReturn, unitsToAdd } from '../../../lib/domain/returns/commands/request/added-units.ts';
import { type AmendmentRules, amendReturn } from '../../../lib/domain/returns/commands/request/amend-return.ts';
import { approve, reject, requestInfo } from '../../../lib/domain/returns/commands/request/review-request.ts';
import type { Entry } from '../../../lib/domain/returns/history/entry.ts';
import { fold } from '../../../lib/domain/returns/history/fold.ts';
import type { Eligibility, Return } from '../../../lib/domain/returns/model/return.ts';
import type { Terms } from '../../../lib/domain/returns/model/terms.ts';
import { ledgerLine } from '../../../lib/domain/returns/money/order-ledger.ts';
import { owed } from '../../../lib/domain/returns/money/recovery.ts';
import { builtInReasons } from '../../../lib/domain/returns/rules/reasons.ts';
import type { Situation } from '../../../lib/domain/returns/situation.ts';
import { eur, order, orderLine } from '../../support/orders.ts';
import { type Case, openCase, run, sealed, situationOf } from '../../support/return-case.ts';

const facts = order({
  lines: [orderLine({ quantity: 3 }), orderLine({ lineId: '2', sku: 'HAT', quantity: 2, unitPrice: eur(2500) })],
});
const reason = { code: 'fit.too_small' };
const hat = { orderLineId: '2', quantity: 1, reason };

const requested = (quantity = 1, terms: Terms = defaultTerms): Case =>
  openCase([{ orderLineId: '1', quantity }], { facts, terms });
const approved = (quantity = 1, terms: Terms = defaultTerms): Case =>
  run(requested(quantity, terms), (situation) => approve(situation, {}));

const amend =
  (command: AmendReturn, rules: Partial<AmendmentRules> = {}) =>
  (situation: Situation) => {
    const units = unitsToAdd(situation, command);
    if (!units.ok) return units;
    const lineIds = units.value.map((_, index) => `new_${situation.state.lines.length + index}`);
    return amendReturn(situation, units.value, {
      reasons: builtInReasons,
      lineIds,
      terms: situation.state.terms,
      ...rules,
    });
  };

const judged = (...lines: readonly (Eligibility | undefined)[]): Partial<AmendmentRules> => ({
  decisionByLine: { decisionId: 'dec_2', policyVersion: 'pol_1/1', verdict: 'approved', lines },
});
const ineligible = { verdict: 'ineligible', code: 'final_sale' } as const;
const inReview = { verdict: 'needs_review', code: 'needs_review' } as const;

const unitsOf = ({ lines }: Return) =>
  lines.map(({ orderLineId, quantities }) => [orderLineId, quantities.requested, quantities.approved]);

/** Returns an approved return of one shirt, which came with another shirt. */
const cameWithAnother = (terms: Terms = defaultTerms): Case =>
  run(approved(1, terms), (situation) =>
    receive(situation, { lines: [{ lineId: 'a', quantity: 1 }], unexpected: [{ id: 'unx_1', quantity: 2 }] }, ['x']),
  );
const another = { id: 'unx_1', orderLineId: '1', quantity: 1, reason };

describe('fees of added lines', () => {
  const own = { ...defaultTerms, fees: { ...defaultTerms.fees, restockingBps: 500 } };
  const fees = [{ restockingBps: 1000 }];

  it('join the fees of the return, which stay', () => {
    const { state } = run(approved(1, own), amend({ add: [hat] }, { fees }));
    expect(state.terms.fees).toEqual({ ...own.fees, byLine: { [state.lines[1]?.id ?? '']: fees[0] } });
    const again = run(approved(1, own), amend({ add: [hat] }, { fees }), amend({ add: [hat] }, { fees }));
    expect(Object.keys(again.state.terms.fees.byLine ?? {})).toEqual(again.state.lines.slice(1).map(({ id }) => id));
  });

  it('do not change a line that takes more units before its decision', () => {
    const { state } = run(requested(1, own), amend({ raise: [{ lineId: 'a', quantity: 1 }] }, { fees }));
    expect(state.terms).toEqual(own);
  });

  it('are only inspections when the return carries out a withdrawal', () => {
    const withdrawal = { withdrawalId: 'wdr_1', declaredAt: '2026-11-21T08:00:00.000Z' };
    const terms = { ...defaultTerms, withdrawal };
    const capped = [{ restockingBps: 1000, inspectionCapBps: 2000 }];
    const { state } = run(approved(1, terms), amend({ add: [hat] }, { fees: capped }));
    expect(state.terms.fees).toEqual({
      ...defaultTerms.fees,
      byLine: { [state.lines[1]?.id ?? '']: { inspectionCapBps: 2000 } },
    });
  });
});

describe('amendReturn', () => {
  it('adds a line to a return that waits for its decision', () => {
    const { state, ledger } = run(requested(), amend({ add: [hat] }));
    expect(state.status).toBe('requested');
    expect(unitsOf(state)).toEqual([
      ['1', 1, 0],
      ['2', 1, 0],
    ]);
    expect(state.lines[1]).toMatchObject({
      id: 'new_1',
      sku: 'HAT',
      resolution: 'refund',
      amounts: { gross: eur(2500), maxRefundable: eur(2500) },
    });
    expect(ledgerLine(ledger, '2').held).toBe(1);
  });

  it('raises an undecided line in its place, and values its units', () => {
    const { state, ledger } = run(requested(), amend({ raise: [{ lineId: 'a', quantity: 2 }] }));
    expect(unitsOf(state)).toEqual([['1', 3, 0]]);
    expect(state.lines[0]?.amounts.gross).toEqual(eur(3000));
    expect(ledgerLine(ledger, '1').held).toBe(3);
  });

  it('adds a line beside a decided line, which keeps its decision', () => {
    const { state } = run(approved(), amend({ raise: [{ lineId: 'a', quantity: 2 }] }));
    expect(state.status).toBe('approved');
    expect(unitsOf(state)).toEqual([
      ['1', 1, 1],
      ['1', 2, 2],
    ]);
    expect(state.lines[1]).toMatchObject({ reason, resolution: 'refund' });
  });

  it('expects the goods of an inspected return again, and pays for all of them', () => {
    const inspected = run(
      approved(),
      (situation) => receive(situation, { lines: [{ lineId: 'a', quantity: 1 }] }, ['x']),
      (situation) => inspect(situation, { lines: [{ id: 'ins_1', lineId: 'a', quantity: 1, outcome: 'accept' }] }),
      (situation) => refundReturn(situation, {}, { id: 'rfd_1' }),
    );
    const amended = run(inspected, amend({ add: [hat] }));
    expect(amended.state.status).toBe('partially_received');
    const { state } = run(
      amended,
      (situation) => receive(situation, { lines: [{ lineId: 'new_1', quantity: 1 }] }, ['x']),
      (situation) => inspect(situation, { lines: [{ id: 'ins_2', lineId: 'new_1', quantity: 1, outcome: 'accept' }] }),
    );
    expect([state.status, owed(state)]).toEqual(['inspected', 2500]);
  });

  it('makes an unexpected item a received line, and leaves the rest of the item', () => {
    const { state, entries, ledger } = run(cameWithAnother(), amend({ unexpected: [another] }));
    expect(state.status).toBe('received');
    expect(state.unexpected).toEqual([{ id: 'unx_1', quantity: 1 }]);
    expect(state.lines[1]?.quantities).toMatchObject({ requested: 1, approved: 1, received: 1, accepted: 0 });
    expect(entries.slice(-2).map(({ type }) => type)).toEqual(['return.amended', 'items.received']);
    expect(ledgerLine(ledger, '1').held).toBe(2);
  });

  it('removes an item of which all units are units of lines, in one entry or in several', () => {
    const { state } = run(cameWithAnother(), amend({ unexpected: [another, another] }));
    expect(state.unexpected).toEqual([]);
    expect(unitsOf(state).length).toBe(3);
  });

  it('accepts an item on receipt when the terms skip inspections, and never leaves it with the customer', () => {
    const terms: Terms = { ...defaultTerms, inspection: 'skipped' };
    const came = run(cameWithAnother(terms), amend({ unexpected: [another] }));
    expect(came.state.lines[1]?.quantities).toMatchObject({ received: 1, accepted: 1, returnless: 0 });
    const kept = run(approved(1, { ...terms, returnless: true }), amend({ add: [hat] }));
    expect(kept.state.lines[1]?.quantities).toMatchObject({ approved: 1, returnless: 1 });
  });

  it('is the fold of its history, and keeps the terms', () => {
    const { state, entries } = run(cameWithAnother(), amend({ add: [hat], unexpected: [another] }));
    expect(entries.reduce<Return | undefined>((before, entry: Entry) => fold(before, entry), undefined)).toEqual(state);
    expect(state.terms).toEqual(defaultTerms);
  });

  it('stores raised terms with the units that raise them', () => {
    const terms: Terms = {
      ...defaultTerms,
      shipping: 'statutory',
      floor: { law: 'EU 2011/83', lines: ['2'], fees: [] },
    };
    const { state, entries } = run(approved(), amend({ add: [hat] }, { terms }));
    expect(state.terms).toEqual(terms);
    expect(entries.at(-1)).toMatchObject({ data: { terms } });
  });
});

describe('the policy decision on added units', () => {
  it('is named by the lines, and the worse result of a raised line holds', () => {
    const { state } = run(
      requested(),
      amend({ add: [hat], raise: [{ lineId: 'a', quantity: 1 }] }, judged(undefined, inReview)),
    );
    expect(state.lines.map(({ eligibility, decisionId }) => [eligibility, decisionId])).toEqual([
      [inReview, 'dec_2'],
      [undefined, 'dec_2'],
    ]);
    const worse = { ...situationOf(requested()) };
    const lines = worse.state.lines.map((line) => ({ ...line, eligibility: ineligible }));
    expect(
      amend(
        { raise: [{ lineId: 'a', quantity: 1 }] },
        judged(inReview),
      )({ ...worse, state: { ...worse.state, lines } }),
    ).toMatchObject({ value: { events: [{ data: { raised: [{ eligibility: ineligible }] } }] } });
  });

  it('leaves ineligible units undecided in a return that waits for its decision', () => {
    const { state } = run(requested(), amend({ add: [hat] }, judged(ineligible)));
    expect(state.status).toBe('requested');
    expect(state.lines[1]).toMatchObject({ eligibility: ineligible, quantities: { approved: 0, rejected: 0 } });
  });

  it('is required of an approved return: units that it does not allow need an override by an admin', () => {
    const situation = situationOf(approved());
    for (const verdict of [ineligible, inReview])
      expect(amend({ add: [hat] }, judged(verdict))(situation)).toMatchObject({
        failure: { code: 'not_eligible', errors: [{ path: '/add/0/override/reason', code: verdict.code }] },
      });
    const override = { reason: sealed('override/1') };
    const overridden = amend({ add: [{ ...hat, override }] }, judged(ineligible));
    expect(overridden({ ...situation, admin: false })).toMatchObject({
      failure: { code: 'override_requires_admin', errors: [{ path: '/add/0/override', code: 'scope' }] },
    });
    const { state } = run(approved(), overridden);
    expect(state.lines[1]).toMatchObject({ eligibility: ineligible, quantities: { approved: 1 } });
    expect(state.decision).toEqual({ overridden: true, overrides: [{ lineId: 'new_1', ...override }] });
  });

  it('does not bind a platform, whose fact becomes a discrepancy', () => {
    const situation = situationOf(approved());
    const observed = { platform: 'shopify', externalId: '7', occurredAt: situation.now };
    expect(amend({ add: [hat] }, judged(ineligible))({ ...situation, observed })).toMatchObject({
      value: {
        events: [
          { type: 'return.amended', data: { observed, lines: [{ approved: 1 }] } },
          { type: 'discrepancy.found', data: { discrepancies: [{ code: 'not_eligible' }] } },
        ],
      },
    });
  });

  it('needs the evidence that the reason requires, for the whole return', () => {
    const reasons = new Map(builtInReasons);
    const known = reasons.get(reason.code);
    if (known === undefined) throw new Error('no reason');
    reasons.set(reason.code, { ...known, evidenceRequired: true });
    const situation = situationOf(approved());
    expect(amend({ add: [hat] }, { reasons })(situation)).toMatchObject({
      failure: { code: 'evidence_required', errors: [{ path: '/add/0', code: 'evidence' }] },
    });
    const { state } = run(requested(), amend({ add: [hat] }, { reasons }));
    expect(state.lines[1]?.evidenceRequired).toBe(true);
    const attachment = { id: 'att_1', contentType: 'image/png', size: 1, sha256: '', addedAt: situation.now } as const;
    const proved = { ...situation, state: { ...situation.state, evidence: [attachment] } };
    expect(amend({ add: [hat] }, { reasons })(proved).ok).toBe(true);
    const ofLine = { ...proved.state, evidence: [{ ...attachment, lineId: 'a' }] };
    const raised = { raise: [{ lineId: 'a', quantity: 1 }] };
    expect(amend({ add: [hat] }, { reasons })({ ...proved, state: ofLine }).ok).toBe(false);
    expect(amend(raised, { reasons })({ ...proved, state: ofLine }).ok).toBe(true);
  });
});

describe('a wrong amendment', () => {
  const failure = (before: Case, command: AmendReturn) => {
    const result = amend(command)(situationOf(before));
    return result.ok ? 'done' : result.failure;
  };

  it('is rejected when it adds nothing', () => {
    expect(failure(requested(), {})).toMatchObject({
      code: 'invalid_request',
      errors: [{ path: '/add', code: 'required' }],
    });
  });

  it('is rejected with the number of units that are left, over all of its entries', () => {
    const add = [{ ...hat, quantity: 2 }, hat];
    expect(failure(requested(), { add })).toMatchObject({
      code: 'quantity_exceeds_returnable',
      errors: [{ path: '/add/1/quantity', code: 'maximum', message: 'must be at most 0' }],
    });
    expect(failure(requested(2), { raise: [{ lineId: 'a', quantity: 2 }] })).toMatchObject({
      code: 'quantity_exceeds_returnable',
      errors: [{ path: '/raise/0/quantity', code: 'maximum', message: 'must be at most 1' }],
    });
  });

  it('is rejected for lines, items and reasons that do not exist', () => {
    expect(failure(requested(), { add: [{ ...hat, orderLineId: '9' }] })).toMatchObject({
      code: 'order_line_not_found',
      errors: [{ path: '/add/0/orderLineId', code: 'unknown' }],
    });
    expect(failure(requested(), { raise: [{ lineId: 'z', quantity: 1 }] })).toMatchObject({
      code: 'return_line_not_found',
      errors: [{ path: '/raise/0/lineId', code: 'unknown' }],
    });
    expect(failure(cameWithAnother(), { unexpected: [{ ...another, id: 'unx_9' }] })).toMatchObject({
      code: 'unexpected_not_found',
      errors: [{ path: '/unexpected/0/id', code: 'unknown' }],
    });
    expect(failure(requested(), { add: [{ ...hat, reason: { code: 'no.such' } }] })).toMatchObject({
      code: 'reason_unknown',
      errors: [{ path: '/add/0/reason/code', code: 'unknown', message: expect.stringContaining('fit.too_small') }],
    });
  });

  it('is rejected when it raises a line twice', () => {
    const raise = { lineId: 'a', quantity: 1 };
    expect(failure(requested(), { raise: [raise, raise] })).toMatchObject({
      code: 'invalid_request',
      errors: [{ path: '/raise/1/lineId', code: 'duplicate' }],
    });
  });

  it('is rejected for more units than an item has, and for an item with a disposition', () => {
    expect(failure(cameWithAnother(), { unexpected: [another, { ...another, quantity: 2 }] })).toMatchObject({
      code: 'invalid_request',
      errors: [{ path: '/unexpected/1/quantity', code: 'maximum', message: 'must be at most 1' }],
    });
    const disposed = run(cameWithAnother(), (situation) =>
      inspect(situation, { unexpected: [{ id: 'unx_1', disposition: 'recycle' }] }),
    );
    expect(failure(disposed, { unexpected: [another] })).toMatchObject({
      code: 'invalid_request',
      errors: [{ path: '/unexpected/0/id', code: 'disposed' }],
    });
  });

  it('is rejected with an override before the decision, which can override it later', () => {
    const override = { reason: sealed('override/1') };
    expect(failure(requested(), { add: [{ ...hat, override }] })).toMatchObject({
      code: 'invalid_request',
      errors: [{ path: '/add/0/override', code: 'status' }],
    });
  });

  it('is rejected when the return would have more than 200 lines', () => {
    const raise = [{ lineId: 'a', quantity: 1 }];
    const add = Array.from({ length: 200 }, () => hat);
    expect(failure(requested(), { add, raise })).toMatchObject({
      code: 'invalid_request',
      errors: [{ path: '/add/199', code: 'max_items' }],
    });
    expect(failure(approved(), { add: add.slice(1), raise })).toMatchObject({
      errors: [{ path: '/raise/0', code: 'max_items' }],
    });
  });

  it('is rejected after the end of the return', () => {
    const ended = [
      run(requested(), (situation) => reject(situation, { code: 'final_sale' })),
      run(approved(), (situation) => cancel(situation, { cancellation: {} })),
    ];
    for (const before of ended) expect(failure(before, { add: [hat] })).toMatchObject({ code: 'invalid_transition' });
  });

  it('is accepted while a question is open, and while units are missing', () => {
    const asked = run(requested(), (situation) => requestInfo(situation, { id: 'msg_1', text: sealed('msg_1') }));
    expect(run(asked, amend({ add: [hat] })).state.status).toBe('info_requested');
    const closed = run(approved(), (situation) => closeReceipt(situation, {}));
    expect(run(closed, amend({ add: [hat] })).state.status).toBe('partially_received');
  });
});

describe('two amendments', () => {
  it('take the last unit once', () => {
    const first = run(approved(), amend({ add: [{ ...hat, quantity: 2 }] }));
    expect(amend({ add: [hat] })(situationOf(first))).toMatchObject({
      failure: { code: 'quantity_exceeds_returnable' },
    });
  });
});
