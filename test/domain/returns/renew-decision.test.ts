import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { defaultTerms } from '../../../lib/domain/policies/terms/policy-terms.ts';
import { reject } from '../../../lib/domain/returns/commands/request/review-request.ts';
import { toReevaluation, renewDecision, reopen } from '../../../lib/domain/returns/commands/request/reopen.ts';
import { undecided } from '../../../lib/domain/returns/goods/quantities.ts';
import type { Eligibility, Return } from '../../../lib/domain/returns/model/return.ts';
import type { Situation } from '../../../lib/domain/returns/situation.ts';
import { after, requestedCase, run, sealed, situationOf } from '../../support/return-case.ts';

const judgement = { decisionId: 'dec_2', policyVersion: 'pol_1/1' } as const;
const terms = { ...defaultTerms, policyVersion: judgement.policyVersion };

/** Returns a request of two lines, with the given fields. */
const requested = (fields: Partial<Return> = {}): Situation => {
  const situation = situationOf(requestedCase([2, 1]));
  return { ...situation, state: { ...situation.state, ...fields } };
};

type Said = {
  readonly verdict: 'approved' | 'rejected' | 'needs_review';
  readonly lines: readonly (Eligibility | undefined)[];
};

const renewed = (state: Return, words: Said) =>
  toReevaluation(state, { decisionByLine: { ...judgement, ...words }, terms, liableParties: [] });

const eligibility = fc.constantFrom<(Eligibility | undefined)[]>(
  undefined,
  { verdict: 'ineligible', code: 'final_sale' },
  { verdict: 'needs_review', code: 'needs_review' },
);
const said: fc.Arbitrary<Said> = fc.record({
  verdict: fc.constantFrom('approved', 'rejected', 'needs_review'),
  lines: fc.tuple(eligibility, eligibility),
});

/** Returns the result of both functions that renew a decision. */
const both = (words: Said) => {
  const requestedReturn = requestedCase([2, 1]);
  const reEvaluated = after(
    requestedReturn,
    renewDecision(situationOf(requestedReturn), { ...renewed(requestedReturn.state, words), changed: ['lines'] }),
  );
  const closed = run(requestedReturn, (situation) => reject(situation, { code: 'worn' }));
  const reopened = after(
    closed,
    reopen(situationOf(closed), { reason: sealed('reopening') }, renewed(closed.state, words)),
  );
  return [reEvaluated.state, reopened.state];
};

describe('renewed decision', () => {
  it('rejects nothing, approves all or nothing, and is stored in the return', () => {
    fc.assert(
      fc.property(said, (words) => {
        const isAllowed = words.verdict === 'approved' && words.lines.every((line) => line === undefined);
        for (const { lines, status, decision, terms: newTerms } of both(words)) {
          expect(status).toBe(isAllowed ? 'approved' : 'requested');
          expect(decision).toEqual({ ...judgement, verdict: words.verdict, overridden: false, overrides: [] });
          expect(newTerms).toEqual(terms);
          expect(lines.map((line) => line.eligibility)).toEqual(words.lines);
          expect(lines.map(({ quantities }) => quantities.rejected)).toEqual([0, 0]);
          expect(lines.map(({ quantities }) => undecided(quantities))).toEqual(isAllowed ? [0, 0] : [2, 1]);
        }
      }),
    );
  });

  const allowed: Said = { verdict: 'approved', lines: [undefined, undefined] };
  const wanting = (state: Return): Return['lines'] =>
    state.lines.map((line) => ({ ...line, evidenceRequired: true as const }));
  const typesAfter = (situation: Situation) => {
    const outcome = renewDecision(situation, { ...renewed(situation.state, allowed), changed: ['lines'] });
    if (!outcome.ok) throw new Error(outcome.failure.code);
    return outcome.value.events.map(({ type }) => type);
  };

  it('waits for the evidence that its reasons require', () => {
    const { state } = requested();
    expect(typesAfter(requested({ lines: wanting(state) }))).toEqual(['decision.renewed']);
    expect(typesAfter(requested())).toEqual(['decision.renewed', 'return.approved']);
  });

  it('drops a requirement for evidence that the law forbids', () => {
    const { state } = requested();
    const lines = wanting(state);
    const protectedTerms = { ...terms, floor: { law: 'EU 2011/83', fees: [] } };
    const demanded = (liableParties: readonly ('merchant' | 'customer')[]) =>
      toReevaluation(
        { ...state, lines },
        { decisionByLine: { ...judgement, ...allowed }, terms: protectedTerms, liableParties },
      ).lines;
    expect(demanded(['customer', 'merchant'])).toEqual([{ lineId: 'b', evidenceRequired: true }]);
  });

  it('approves no return that a platform manages', () => {
    expect(typesAfter(requested({ managedBy: 'platform' }))).toEqual(['decision.renewed']);
  });
});
