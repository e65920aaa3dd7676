import { describe, expect, it } from 'vitest';
import { compile } from '../../lib/policies/evaluate/compile.ts';
import { evaluate } from '../../lib/policies/evaluate/evaluate.ts';
import { explain } from '../../lib/policies/decision/explain.ts';
import { inWords } from '../../lib/policies/decision/fact-words.ts';
import { factKinds } from '../../lib/policies/fact-catalogue.ts';
import type { LineFacts } from '../../lib/policies/facts.ts';
import type { Rule } from '../../lib/policies/policy.ts';
import { goldenCase } from './documents.ts';

const [first] = goldenCase.facts.lines as [LineFacts];
const base: LineFacts = { ...first, sku: 'SHIRT-M', rights: [] };

const window: Rule = {
  id: 'window',
  phase: 'window',
  text: '30 days from delivery',
  window: { anchor: 'delivered', days: 30 },
};
const auto: Rule = { id: 'auto', phase: 'approval', text: 'All are approved.', approval: 'auto' };
const certain = { law: 'EU 2011/83', claim: 'withdrawal', until: null, certain: true } as const;
const fault = { law: 'AU ACL', claim: 'fault', until: null, certain: false } as const;

const told = (rules: readonly Rule[], line: Partial<LineFacts> = {}) => {
  const facts = { ...goldenCase.facts, lines: [{ ...base, ...line }] };
  return explain({ rules }, facts, evaluate(compile({ rules }), facts));
};

describe('a decision in sentences', () => {
  it('says until when a line can be returned, on the last day as the customer counts', () => {
    expect(told([window, auto])).toEqual([
      'The return is approved.',
      '1 × SHIRT-M can be returned until 5 December 2026.',
    ]);
  });

  const late = { deliveredAt: '2026-09-01T08:00:00Z' };

  it('says when it was over, and by which rule', () => {
    expect(told([window, auto], late)).toEqual([
      'The return is refused.',
      '1 × SHIRT-M cannot be returned. 30 days from delivery [window]. That was until 1 October 2026.',
    ]);
  });

  it('says that the law gives what the policy denies', () => {
    expect(told([window, auto], { ...late, rights: [certain] })).toEqual([
      'The return is approved.',
      '1 × SHIRT-M can be returned. 30 days from delivery [window]. That was until 1 October 2026. The law gives the customer that right whatever the policy says (EU 2011/83).',
    ]);
    expect(told([window, auto], { ...late, rights: [fault] })[1]).toBe(
      '1 × SHIRT-M has to be looked at. 30 days from delivery [window]. That was until 1 October 2026. The law may give the customer a right all the same (AU ACL).',
    );
  });

  it('says what is missing, and what can be asked for instead', () => {
    const picture: Rule = {
      id: 'picture',
      phase: 'requirement',
      text: 'We need a picture.',
      require: ['note', 'evidence'],
    };
    expect(told([picture, auto])[1]).toBe(
      '1 × SHIRT-M has to be looked at. We need a picture [picture]. Still missing: note and evidence.',
    );
    const exchange: Rule = {
      id: 'swap',
      phase: 'resolution',
      text: 'No money back.',
      resolutions: ['exchange', 'store_credit'],
    };
    expect(told([exchange, auto])[1]).toBe(
      '1 × SHIRT-M cannot be returned. Asked for: refund. What can be: exchange or store credit.',
    );
    expect(told([window, auto], { deliveredAt: undefined } as unknown as LineFacts)[1]).toBe(
      '1 × SHIRT-M has to be looked at. Not known is when it was delivered.',
    );
  });

  it('says why somebody has to look at what nothing speaks against', () => {
    expect(told([window]).at(-1)).toBe('No rule approves it without somebody looking at it.');
    const manual: Rule = { id: 'all', phase: 'approval', text: 'We look at every return.', approval: 'manual' };
    expect(told([window, manual]).at(-1)).toBe('We look at every return [all].');
    expect(told([window, manual], { rights: [certain] })).toHaveLength(2);
  });

  it('has words for every fact that can be missing', () => {
    expect([...factKinds.keys()].filter((fact) => inWords(fact) === fact)).toEqual([]);
  });
});
