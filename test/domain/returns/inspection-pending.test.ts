import { describe, expect, it } from 'vitest';
import { defaultTerms } from '../../../lib/domain/policies/terms/policy-terms.ts';
import { complete } from '../../../lib/domain/returns/commands/endings.ts';
import { inspect } from '../../../lib/domain/returns/commands/goods/inspect.ts';
import { receive } from '../../../lib/domain/returns/commands/goods/receive.ts';
import { refundReturn, type RefundReturn } from '../../../lib/domain/returns/commands/money/refund-return.ts';
import { approve } from '../../../lib/domain/returns/commands/request/review-request.ts';
import type { Terms } from '../../../lib/domain/returns/model/terms.ts';
import { quote } from '../../../lib/domain/returns/money/quote.ts';
import { allowedActions } from '../../../lib/domain/returns/rules/allowed-actions.ts';
import { after, approvedCase, type Case, openCase, run, situationOf, type Step } from '../../support/return-case.ts';

const received =
  (quantity: number): Step =>
  (situation) =>
    receive(situation, { lines: [{ lineId: 'a', quantity }] }, []);

const inspected =
  (quantity: number): Step =>
  (situation) =>
    inspect(situation, { lines: [{ id: `ins_${quantity}`, lineId: 'a', quantity, outcome: 'accept' }] });

const refund = (one: Case, command: RefundReturn = {}) => refundReturn(situationOf(one), command, { id: 'rfd_1' });
const blockOf = (one: Case) => allowedActions(situationOf(one)).find(({ action }) => action === 'refund')?.blockedBy;
const paid = (one: Case): Case => after(one, refund(one));
const timed = (refundTiming: Terms['refundTiming'], inspection: Terms['inspection'] = 'required'): Terms => ({
  ...defaultTerms,
  refundTiming,
  inspection,
});

describe('a refund before the inspection', () => {
  it.each([
    ['nothing received', 'received', [], 'The return has 3 units not received'],
    ['nothing received', 'inspected', [], 'The return has 3 units not received'],
    [
      'some received',
      'received',
      [received(1)],
      'The return has 1 unit received and not inspected and 2 units not received',
    ],
    ['all received', 'received', [received(3)], 'The return has 3 units received and not inspected'],
    ['all received', 'inspected', [received(3)], 'The return has 3 units received and not inspected'],
    ['some inspected', 'inspected', [received(3), inspected(2)], 'The return has 1 unit received and not inspected'],
  ] as const)('returns inspection_pending with %s when the money is due from %s on', (_, timing, steps, why) => {
    const one = run(approvedCase([3], timed(timing)), ...steps);
    expect(blockOf(one)).toBe('inspection_pending');
    expect(refund(one)).toMatchObject({
      ok: false,
      failure: {
        code: 'inspection_pending',
        detail: `Nothing can be refunded now. ${why}. Refund it after the inspection.`,
        allowedActions: expect.arrayContaining([expect.objectContaining({ action: 'inspect' })]),
      },
    });
  });

  it('returns inspection_pending after the inspected units are paid, and nothing_to_refund after all are', () => {
    const part = paid(run(approvedCase([3], timed('received')), received(3), inspected(2)));
    expect([blockOf(part), refund(part)]).toMatchObject([
      'inspection_pending',
      { failure: { code: 'inspection_pending' } },
    ]);
    const all = after(run(part, inspected(1)), refundReturn(situationOf(run(part, inspected(1))), {}, { id: 'rfd_2' }));
    expect([blockOf(all), refund(all)]).toMatchObject([
      'nothing_to_refund',
      { failure: { code: 'refund_exceeds_ceiling', detail: expect.stringContaining('Nothing is left to pay') } },
    ]);
  });

  it('fails for named units that wait for the inspection, and otherwise by the ceiling', () => {
    const one = run(approvedCase([3], timed('received')), received(3), inspected(2));
    const lines = (quantity: number) => ({ lines: [{ lineId: 'a', quantity }] });
    const at = [{ path: '/lines/0/quantity', code: 'maximum', message: 'must be at most 2' }];
    expect(refund(one, lines(3))).toMatchObject({
      failure: { code: 'inspection_pending', errors: at, allowedActions: expect.any(Array) },
    });
    expect(quote(situationOf(one), lines(3))).toMatchObject({ failure: { code: 'inspection_pending', errors: at } });
    expect(refund(one, lines(4))).toMatchObject({ failure: { code: 'refund_exceeds_ceiling', errors: at } });
    expect(refund(one, lines(2))).toMatchObject({ ok: true });
  });

  it('does not wait when the terms refund in advance', () => {
    for (const timing of ['approved', 'in_transit'] as const)
      expect(blockOf(approvedCase([3], timed(timing)))).toBe(timing === 'approved' ? undefined : 'refund_timing');
    const whole = paid(approvedCase([3], timed('approved')));
    expect([blockOf(whole), refund(whole)]).toMatchObject([
      'nothing_to_refund',
      { failure: { code: 'refund_exceeds_ceiling' } },
    ]);
  });

  it('names the receipt when units are accepted on arrival', () => {
    const terms = timed('received', 'skipped');
    expect(blockOf(approvedCase([3], terms))).toBe('refund_timing');
    const part = paid(run(approvedCase([3], terms), received(1)));
    expect(blockOf(part)).toBe('units_outstanding');
    expect(refund(part)).toMatchObject({
      failure: { code: 'refund_exceeds_ceiling', detail: expect.stringContaining('has 2 units not received') },
    });
  });
});

describe('complete with open money', () => {
  it('names the path of the waiver', () => {
    const one = run(approvedCase([3], timed('received')), received(3), inspected(3));
    expect(complete(situationOf(one), {})).toMatchObject({
      failure: {
        code: 'invalid_transition',
        detail: 'The customer is owed 3000 EUR in minor units. Refund the money, or send waive.reason.',
        errors: [{ path: '/waive/reason', code: 'required' }],
      },
    });
  });
});

describe('approve of a line that does not qualify', () => {
  /** A return of two lines. A policy denies the second one. */
  const denied = (...indexes: readonly number[]): Case => {
    const one = openCase([
      { orderLineId: '1', quantity: 1 },
      { orderLineId: '1', quantity: 2 },
    ]);
    const lines = one.state.lines.map((line, index) =>
      indexes.includes(index) ? { ...line, eligibility: { verdict: 'ineligible', code: 'final_sale' } as const } : line,
    );
    return { ...one, state: { ...one.state, lines } };
  };
  const b = { lineId: 'b', quantity: 2 };
  const a = { lineId: 'a', quantity: 1 };
  const fieldError = (path: string, lineId: string) => ({
    path,
    code: 'final_sale',
    message: `must give the reason to approve line ${lineId}; an override needs the scope returns:admin`,
  });

  it.each([
    ['without lines', {}, '/lines/1/override/reason'],
    ['with lines', { lines: [b, a] }, '/lines/0/override/reason'],
  ])('names the path of the override %s', (_, command, path) => {
    expect(approve(situationOf(denied(1)), command)).toMatchObject({
      failure: { code: 'not_eligible', errors: [fieldError(path, 'b')] },
    });
  });

  it('names the path of the override to a caller without returns:admin', () => {
    const situation = situationOf(denied(0, 1), { admin: false });
    expect(approve(situation, { lines: [b, a] })).toMatchObject({
      failure: {
        code: 'insufficient_scope',
        detail: expect.stringContaining('returns:admin'),
        errors: [fieldError('/lines/1/override/reason', 'a'), fieldError('/lines/0/override/reason', 'b')],
      },
    });
  });
});
