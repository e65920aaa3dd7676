import { describe, expect, it } from 'vitest';
import { defaultTerms } from '../../../lib/domain/policies/terms/policy-terms.ts';
import { cancel, expire } from '../../../lib/domain/returns/commands/endings.ts';
import { provideInfo, requestInfo } from '../../../lib/domain/returns/commands/request/review-request.ts';
import { reopen } from '../../../lib/domain/returns/commands/request/reopen.ts';
import { allowedActions } from '../../../lib/domain/returns/rules/allowed-actions.ts';
import { deadlinesOf, dueAt } from '../../../lib/domain/returns/rules/deadlines.ts';
import { after, approvedCase, requestedCase, sealed, situationOf, start } from '../../support/return-case.ts';

const deadlines = { shipByDays: 14, answerByDays: 3, inspectByDays: 5, refundDueDays: 10 };
const terms = { ...defaultTerms, deadlines };
const withdrawal = { ...terms, floor: { law: 'EU 2011/83', fees: [] } };
const day = (days: number) => new Date(Date.parse(start) + days * 86_400_000).toISOString();
const infoRequest = { id: 'note_1', text: sealed('note_1') };

describe('deadlines of a return', () => {
  it('run from the event that starts them', () => {
    expect(deadlinesOf(requestedCase([2], terms).state)).toEqual({});
    const approved = approvedCase([2], terms).state;
    expect(deadlinesOf(approved)).toEqual({ shipBy: day(14) });
    const received = { ...approved, partiallyReceivedAt: day(2), receivedAt: day(4) };
    expect(deadlinesOf(received)).toEqual({ shipBy: day(14), inspectBy: day(7), refundDueBy: day(12) });
  });

  it('of a withdrawal run from the request, whatever questions follow', () => {
    const one = requestedCase([2], withdrawal);
    const questioned = after(one, requestInfo(situationOf(one, { now: day(1) }), infoRequest), day(1));
    expect(deadlinesOf(questioned.state)).toEqual({ answerBy: day(4), refundDueBy: day(10) });
    const answered = after(questioned, provideInfo(situationOf(questioned, { now: day(3) }), infoRequest), day(3));
    expect(deadlinesOf(answered.state).refundDueBy).toBe(day(10));
    expect(dueAt(answered.state)).toBe(day(10));
  });

  it('include no deadline to send units that the customer keeps', () => {
    const { state } = approvedCase([2], { ...terms, returnless: true });
    expect(state).toMatchObject({ status: 'approved', lines: [{ quantities: { returnless: 2 } }] });
    expect(deadlinesOf(state)).toEqual({});
    expect(dueAt(state)).toBeUndefined();
  });

  it('of a protected return run from receipt when the law requires it', () => {
    const protectedTerms = { ...withdrawal, deadlines: { ...deadlines, refundDueFrom: 'receipt' as const } };
    const { state } = approvedCase([2], protectedTerms);
    expect(deadlinesOf(state)).not.toHaveProperty('refundDueBy');
    expect(deadlinesOf({ ...state, partiallyReceivedAt: day(2) })).toMatchObject({ refundDueBy: day(12) });
    const promised = { ...terms, deadlines: { ...deadlines, refundDueFrom: 'request' as const } };
    expect(deadlinesOf(approvedCase([2], promised).state)).toMatchObject({ refundDueBy: day(10) });
  });

  it('are not open after they are met', () => {
    const { state } = approvedCase([2], terms);
    expect(dueAt(state)).toBe(day(14));
    const received = { ...state, status: 'received' as const, receivedAt: day(4) };
    expect(dueAt(received)).toBe(day(14));
    const [line] = state.lines;
    if (line === undefined) throw new Error('no line');
    const lines = [{ ...line, quantities: { ...line.quantities, received: 2 } }];
    expect(dueAt({ ...received, lines })).toBe(day(9));
    expect(dueAt({ ...received, lines, status: 'completed' })).toBeUndefined();
  });
});

describe('expire', () => {
  it('needs an admin before the deadline, and none after it', () => {
    const one = approvedCase([2], terms);
    const writer = (now: string) => situationOf(one, { now, admin: false });
    const early = new Date(Date.parse(day(14)) - 1).toISOString();
    expect(expire(writer(early))).toMatchObject({ failure: { code: 'insufficient_scope' } });
    expect(expire(writer(day(14)))).toMatchObject({ ok: true });
    const scopeAt = (now: string) => allowedActions(writer(now)).find(({ action }) => action === 'expire')?.scope;
    expect([scopeAt(early), scopeAt(day(14))]).toEqual(['returns:admin', 'returns:write']);
  });

  it('uses the answer deadline while the return awaits an answer', () => {
    const one = requestedCase([2], terms);
    const questioned = after(one, requestInfo(situationOf(one, { now: day(1) }), infoRequest), day(1));
    const writer = (now: string) => situationOf(questioned, { now, admin: false });
    expect(expire(writer(day(3)))).toMatchObject({ failure: { code: 'insufficient_scope' } });
    expect(expire(writer(day(4)))).toMatchObject({ ok: true });
  });

  it('starts again when the return is reopened', () => {
    const one = approvedCase([2], terms);
    const cancelled = after(one, cancel(situationOf(one, { now: day(20) }), { cancellation: {} }), day(20));
    const reopened = after(
      cancelled,
      reopen(situationOf(cancelled, { now: day(21) }), { reason: sealed('a') }),
      day(21),
    );
    expect(deadlinesOf(reopened.state).shipBy).toBe(day(35));
  });

  it('fails when a parcel was ever in transit, whatever its status is now', () => {
    const { state, ...rest } = approvedCase([2], terms);
    const parcel = { id: 'pcl_1', direction: 'inbound' as const, contents: [{ lineId: 'a', quantity: 2 }] };
    const labelled = { ...parcel, status: 'label_created' as const, events: [] };
    const lost = { ...parcel, status: 'lost' as const, events: [{ status: 'in_transit' as const, at: start }] };
    const withParcel = (one: typeof labelled | typeof lost) =>
      situationOf({ ...rest, state: { ...state, parcels: [one] } });
    expect(expire(withParcel(labelled))).toMatchObject({ ok: true });
    const rejected = expire(withParcel(lost));
    expect(rejected).toMatchObject({ failure: { code: 'invalid_transition' } });
  });
});
