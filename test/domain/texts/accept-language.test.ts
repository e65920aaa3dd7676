import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { languages } from '../../../lib/domain/returns/input-checks.ts';
import { languageFor } from '../../../lib/domain/texts/catalogues.ts';

describe('languageFor', () => {
  it.each<[string | undefined, string]>([
    [undefined, 'en'],
    ['', 'en'],
    ['de', 'de'],
    ['DE-ch', 'de'],
    ['pt-BR', 'pt'],
    ['pt-BR,pt;q=0.9,en;q=0.8', 'pt'],
    ['en;q=0.8, fr', 'fr'],
    ['en;q=0.8, fr;q=0.801', 'fr'],
    ['ja, es;q=0.1', 'es'],
    ['ja', 'en'],
    ['*', 'en'],
    ['ja, *;q=0.5', 'en'],
    ['en;q=0.2, *;q=0.8', 'pt'],
    ['en;q=0, *', 'pt'],
    ['en;q=0', 'en'],
    ['de;q=0.5;level=1, fr;q=0.4', 'fr'],
    ['de;q=1.5, fr;q=0.4', 'fr'],
    ['de;q=0.1234, fr;q=0.1', 'fr'],
    ['de ; q=0.9 , fr;q=1.000', 'fr'],
    [',, ,de', 'de'],
    ['español, de', 'de'],
    [`${'x'.repeat(500)}, de`, 'en'],
  ])('returns for %j the language %s', (field, language) => {
    expect(languageFor(field)).toBe(language);
  });

  it('returns a supported language for any text, and the first of the best matches', () => {
    fc.assert(
      fc.property(fc.string({ maxLength: 600 }), (field) => {
        expect(languages).toContain(languageFor(field));
      }),
    );
    const weighted = fc.record({ tag: fc.constantFrom(...languages), thousandths: fc.integer({ min: 1, max: 1000 }) });
    const distinct = fc.uniqueArray(weighted, { minLength: 1, maxLength: 5, selector: ({ tag }) => tag });
    fc.assert(
      fc.property(distinct, (wanted) => {
        const field = wanted.map(({ tag, thousandths }) => `${tag}-XX;q=${(thousandths / 1000).toFixed(3)}`).join(', ');
        const [best] = wanted.toSorted((a, b) => b.thousandths - a.thousandths);
        expect(languageFor(field)).toBe(best?.tag);
      }),
    );
  });
});
