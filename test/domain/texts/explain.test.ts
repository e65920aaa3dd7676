import { describe, expect, it } from 'vitest';
import { compilePolicy } from '../../../lib/domain/policies/evaluate/compile.ts';
import { evaluate } from '../../../lib/domain/policies/evaluate/evaluate.ts';
import type { LineFacts } from '../../../lib/domain/policies/facts.ts';
import { applyStatutoryLimits } from '../../../lib/domain/policies/law/statutory-floor.ts';
import { statutoryRules } from '../../../lib/domain/policies/law/statutory-rules.ts';
import type { Policy, Rule } from '../../../lib/domain/policies/policy.ts';
import type { Language } from '../../../lib/domain/returns/input-checks.ts';
import { explain } from '../../../lib/domain/texts/explain.ts';
import { eur } from '../../support/orders.ts';
import { goldenCase } from '../policies/documents.ts';

const [first] = goldenCase.facts.lines as [LineFacts];
const base: LineFacts = { ...first, sku: 'SHIRT-M', rights: [] };

const window: Rule = {
  id: 'window',
  phase: 'window',
  text: 'We take goods back for 30 days',
  texts: { de: 'Wir nehmen Ware 30 Tage lang zurück.' },
  window: { anchor: 'delivered', days: 30 },
};
const auto: Rule = { id: 'auto', phase: 'approval', text: 'All are approved.', approval: 'auto' };
const sale: Rule = { id: 'final-sale', phase: 'exclusion', text: 'Sale  items\nstay sold.', deny: 'final_sale' };
const certain = { law: 'EU 2011/83', claim: 'withdrawal', until: null, certain: true } as const;
const right = { law: 'AU ACL', claim: 'fault', until: null, certain: false } as const;

type Extra = {
  readonly line?: Partial<LineFacts>;
  readonly language?: Language;
  readonly title?: string;
  readonly policy?: Partial<Policy>;
};

const sentences = (rules: readonly Rule[], { line = {}, language = 'en', title, policy = {} }: Extra = {}) => {
  const facts = { ...goldenCase.facts, lines: [{ ...base, ...line }] };
  const items = new Map(title === undefined ? [] : [[base.orderLineId, title]]);
  const evaluation = applyStatutoryLimits(evaluate(compilePolicy({ rules }), facts), facts, statutoryRules, null);
  return explain({ policy: { rules, ...policy }, facts, evaluation, items }, language);
};

describe('explain', () => {
  it('names an item by its title, its SKU or a generic word', () => {
    expect(sentences([window, auto], { title: 'Toothbrush' })[1]).toBe(
      'You can return 1 × Toothbrush until 5 December 2026.',
    );
    expect(sentences([window, auto])[1]).toBe('You can return 1 × SHIRT-M until 5 December 2026.');
    const { sku: _, ...unnamed } = base;
    const facts = { ...goldenCase.facts, lines: [unnamed] };
    const decided = { policy: { rules: [auto] }, facts, evaluation: evaluate(compilePolicy({ rules: [auto] }), facts) };
    expect(explain({ ...decided, items: new Map() }, 'de')[1]).toBe('Sie können 1 × Artikel zurückgeben.');
  });

  const late = { deliveredAt: '2026-09-01T08:00:00Z' };

  it('states the end of the window in each language', () => {
    expect(sentences([window, auto], { line: late })).toEqual([
      'The return is declined.',
      'You cannot return 1 × SHIRT-M. We take goods back for 30 days. The return period ended on 1 October 2026.',
    ]);
    const translated = (['pt', 'es', 'de', 'fr'] as const).map(
      (language) => sentences([window, auto], { line: late, language })[1],
    );
    expect(translated).toEqual([
      'Não é possível devolver 1 × SHIRT-M. O prazo de devolução terminou em 1 de outubro de 2026.',
      'No puede devolver 1 × SHIRT-M. El plazo de devolución terminó el 1 de octubre de 2026.',
      'Sie können 1 × SHIRT-M nicht zurückgeben. Wir nehmen Ware 30 Tage lang zurück. Die Rückgabefrist ist am 1. Oktober 2026 abgelaufen.',
      'Vous ne pouvez pas retourner 1 × SHIRT-M. Le délai de retour a pris fin le 1er octobre 2026.',
    ]);
  });

  it("uses the rule's text in the language if it has one, or else a general text", () => {
    expect(sentences([sale, auto])[1]).toBe('You cannot return 1 × SHIRT-M. Sale items stay sold.');
    const general =
      'Sie können 1 × SHIRT-M nicht zurückgeben. Die Rückgabebedingungen des Shops lassen diese Rückgabe nicht zu.';
    expect(sentences([sale, auto], { language: 'de' })[1]).toBe(general);
    expect(sentences([sale, auto], { language: 'de', policy: { language: 'de' } })[1]).toContain(
      'Sale items stay sold.',
    );
    expect(sentences([sale, auto], { policy: { language: 'de' } })[1]).toContain('return policy does not allow');
  });

  it('never shows the id of a rule, even one that every object has', () => {
    const rule: Rule = { ...sale, id: 'constructor' };
    for (const language of ['en', 'de'] as const)
      expect(sentences([rule, auto], { language }).join(' ')).not.toMatch(/constructor|native code|final_sale/);
  });

  it('states the same reason once', () => {
    expect(sentences([sale, { ...sale, id: 'b' }, auto])[1]).toBe(
      'You cannot return 1 × SHIRT-M. Sale items stay sold.',
    );
  });

  it('states the statutory right', () => {
    expect(sentences([window, auto], { line: { ...late, rights: [certain] } })[1]).toBe(
      'You can return 1 × SHIRT-M. We take goods back for 30 days. The return period ended on 1 October 2026. The law grants a right of return (EU 2011/83).',
    );
    expect(sentences([window, auto], { line: { ...late, rights: [right] } })[1]).toMatch(
      /^We need to review 1 × SHIRT-M\. .* The law may still grant a right \(AU ACL\)\.$/,
    );
  });

  it('states missing facts, one per sentence', () => {
    const picture: Rule = { id: 'a', phase: 'requirement', text: 'Show us!', require: ['note', 'evidence'] };
    expect(sentences([picture, auto])[1]).toBe(
      'We need to review 1 × SHIRT-M. Show us! A description of the reason is missing. A photo or other evidence is missing.',
    );
    const { deliveredAt: _, ...undated } = base;
    const facts = { ...goldenCase.facts, lines: [undated] };
    const rules = [window, auto];
    const decided = {
      policy: { rules },
      facts,
      evaluation: evaluate(compilePolicy({ rules }), facts),
      items: new Map(),
    };
    expect(explain(decided, 'es')[1]).toBe('Debemos revisar 1 × SHIRT-M. Falta este dato: fecha de entrega.');
  });

  it('names three missing facts, and counts the others', () => {
    const unknown = (fact: string, at: number): Rule => ({
      ...sale,
      id: `r${at}`,
      when: { fact, op: 'eq', value: 'x' },
    });
    const facts = ['line.brand', 'line.condition', 'line.withdrawalExemption', 'line.fault', 'order.market'];
    const sentenceFor = (count: number) => sentences([...facts.slice(0, count).map(unknown), auto])[1];
    expect(sentenceFor(4)).toMatch(/(This information is missing: [^.]+\. ){3}1 more detail is missing\.$/);
    expect(sentenceFor(5)).toMatch(/2 more details are missing\.$/);
  });

  it('states the resolutions that remain possible', () => {
    const exchange: Rule = {
      id: 'swap',
      phase: 'resolution',
      text: 'No money',
      resolutions: ['exchange', 'store_credit'],
    };
    expect(sentences([exchange, auto], { language: 'fr' })[1]).toBe(
      'Vous ne pouvez pas retourner 1 × SHIRT-M. Un remboursement n’est pas possible pour cet article. Possible à la place\u202f: échange ou avoir.',
    );
    const nothing: Rule = { ...exchange, id: 'none', resolutions: ['repair'] };
    expect(sentences([exchange, nothing, auto])[1]).toMatch(/ No other solution is available\.$/);
  });

  it('writes fees as amounts and shares, and omits them for a denied return', () => {
    const fees: readonly Rule[] = [
      {
        id: 'f1',
        phase: 'fee',
        text: 'Fee.',
        fee: { type: 'restocking', bps: 1250, cap: { amount: 123_456, currency: 'EUR' } },
      },
      {
        id: 'f2',
        phase: 'fee',
        text: 'Label.',
        fee: { type: 'return_shipping', amount: { amount: 490, currency: 'EUR' } },
      },
      { id: 'f3', phase: 'fee', text: 'Wear.', fee: { type: 'inspection', bps: 5000 } },
    ];
    expect(sentences([...fees, auto], { language: 'de' }).slice(2)).toEqual([
      'Es fällt eine Bearbeitungsgebühr von 12,5\u00a0% an. Die Gebühr beträgt höchstens 1.234,56\u00a0€.',
      'Der Rückversand kostet 4,90\u00a0€.',
      'Bei Wertverlust des Artikels können bis zu 50\u00a0% abgezogen werden.',
    ]);
    expect(sentences([...fees, sale, auto])).toHaveLength(2);
  });

  it('writes the fee of a line beside the line', () => {
    const fee: Rule = {
      id: 'opened',
      phase: 'fee',
      text: 'Opened goods.',
      fee: { type: 'restocking', bps: 1000 },
      when: { fact: 'line.condition', op: 'eq', value: 'opened' },
    };
    const opened = { line: { condition: 'opened' } };
    expect(sentences([fee, auto], opened)).toEqual([
      'The return is approved.',
      'You can return 1 × SHIRT-M. A processing fee of 10% applies. Opened goods.',
    ]);
    expect(sentences([fee, auto], { line: { condition: 'new' } })[1]).toBe('You can return 1 × SHIRT-M.');
    expect(sentences([fee, sale, auto], opened).join(' ')).not.toContain('processing fee');
  });

  it.each([
    ['en', 'The law removes the processing fee of 10% (EU 2011/83).'],
    ['pt', 'A lei elimina a taxa de processamento de 10% (EU 2011/83).'],
    ['es', 'La ley elimina el cargo de gestión: 10 % (EU 2011/83).'],
    ['de', 'Das Gesetz streicht die Bearbeitungsgebühr von 10 % (EU 2011/83).'],
    ['fr', 'La loi supprime les frais de traitement de 10 % (EU 2011/83).'],
  ] as const)('says in %s that the law removes a restocking fee', (language, sentence) => {
    const fee: Rule = { id: 'f', phase: 'fee', text: 'Fee.', fee: { type: 'restocking', bps: 1000 } };
    const withRight = sentences([fee, auto], { language, line: { rights: [certain] } });
    expect(withRight.at(-1)?.replaceAll(/[\u00a0\u202f]+/gu, ' ')).toBe(sentence);
    expect(sentences([fee, auto], { language }).join(' ')).not.toContain('EU 2011/83');
  });

  it('says of each fee that the law removes it, of the return or of a line', () => {
    const brazil = { rights: [{ ...certain, law: 'BR CDC art. 49' }] };
    const fees: readonly Rule[] = [
      { id: 'label', phase: 'fee', text: 'Label.', fee: { type: 'return_shipping', amount: eur(490) } },
      { id: 'wear', phase: 'fee', text: 'Wear.', fee: { type: 'inspection', bps: 5000 } },
      { id: 'promotion', phase: 'fee', text: 'Promotion.', fee: { type: 'promotion' } },
    ];
    expect(sentences([...fees, auto], { line: brazil }).slice(2)).toEqual([
      'The law removes the cost of return shipping of €4.90 (BR CDC art. 49).',
      'The law removes the deduction for lost value (BR CDC art. 49).',
      'The law removes the deduction of a discount (BR CDC art. 49).',
    ]);
    const when = { fact: 'line.condition', op: 'eq', value: 'opened' } as const;
    const opened: Rule = { id: 'opened', phase: 'fee', text: 'Opened.', fee: { type: 'restocking', bps: 1000 }, when };
    expect(sentences([opened, auto], { line: { ...brazil, condition: 'opened' } })[1]).toBe(
      'You can return 1 × SHIRT-M. The law removes the processing fee of 10% (BR CDC art. 49).',
    );
  });

  it('states why a review is needed when nothing denies the return', () => {
    expect(sentences([window]).at(-1)).toBe('We check this return before we approve it.');
    const manual: Rule = { id: 'all', phase: 'approval', text: 'We look at every return.', approval: 'manual' };
    expect(sentences([window, manual]).at(-1)).toBe('We look at every return.');
    expect(sentences([window, manual], { language: 'pt' }).at(-1)).toBe(
      'Esta devolução é verificada antes da aprovação.',
    );
    expect(sentences([window, manual], { line: { rights: [certain] } })).toHaveLength(2);
  });
});
