import { globSync, readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { fillText } from '../../lib/console/texts/catalogue.ts';
import { catalogues, formsByKey, usesOfTexts } from './catalogue-uses.ts';

const english = formsByKey(catalogues('en'));
const uses = usesOfTexts();

const placeholdersOf = (text: string): readonly string[] =>
  Array.from(text.matchAll(/\{(\w+)\}/g), ([, name = '']) => name);

/** The values that a text needs: its placeholders, and the count of a plural. */
const valuesOf = (forms: Readonly<Record<string, string>> = {}): ReadonlySet<string> =>
  new Set([...Object.values(forms).flatMap(placeholdersOf), ...(Object.keys(forms).length > 1 ? ['count'] : [])]);

/** The codes and the names of fields in sources. A source reads a text of a group by such a word. */
const words: ReadonlySet<string> = new Set(
  globSync('lib/{access,console,contract,domain,service,shops}/**/*.{ts,tsx}').flatMap((file) => {
    const source = readFileSync(file, 'utf8');
    // Some codes have a hyphen.
    return [...(source.match(/[\w.]+/g) ?? []), ...(source.match(/\w+(?:-\w+)+/g) ?? [])];
  }),
);

describe('catalogues of the console', () => {
  it('have no text that no source uses', () => {
    const used = new Set(uses.map(({ key }) => key));
    const isUsed = (key: string): boolean => {
      const names = key.split('.');
      const isInGroup = names.some((_, index) => used.has(names.slice(0, index).join('.')));
      return used.has(key) || (isInGroup && names.some((_, index) => words.has(names.slice(index).join('.'))));
    };
    expect(english.size).toBeGreaterThan(1_000);
    expect([...english.keys()].filter((key) => !isUsed(key))).toEqual([]);
  });

  it('get the values of their placeholders', () => {
    const texts = uses.filter(({ key }) => english.has(key));
    expect(texts.filter(({ values }) => values.length > 0).length).toBeGreaterThan(100);
    const wrong = texts.filter(({ key, values }) => {
      const needed = valuesOf(english.get(key));
      return needed.size !== values.length || values.some((name) => !needed.has(name));
    });
    expect(wrong).toEqual([]);
  });

  it.each(['pt', 'pt-BR'])('have the placeholders of English in %s', (language) => {
    const texts = [...formsByKey(catalogues(language))];
    const sorted = (text = '') => placeholdersOf(text).toSorted();
    expect(texts.map(([key, forms]) => [key, sorted(forms['other'])])).toEqual(
      texts.map(([key]) => [key, sorted(english.get(key)?.['other'])]),
    );
  });
});

describe('fillText', () => {
  const units = { 0: 'no unit', one: 'one unit', other: '{count} units' };

  it.each([
    ['en', 0, 'no unit'],
    ['en', 1, 'one unit'],
    ['en', 2, '2 units'],
    ['pt-PT', 1, 'one unit'],
    ['pt-PT', 1_000_000, '1000000 units'],
    ['pt-BR', 0, 'no unit'],
    ['pt-BR', 1, 'one unit'],
  ])('returns the form of a plural in %s for %i', (language, count, text) => {
    expect(fillText(units, { count }, language)).toBe(text);
  });

  it('returns the form for others for 0 in Brazil, as in Portugal', () => {
    expect(fillText({ one: 'one unit', other: '{count} units' }, { count: 0 }, 'pt-BR')).toBe('0 units');
  });

  it('puts values into a text as they are, and keeps a placeholder without a value', () => {
    expect(fillText('{from} to {to}, {by}', { from: '{to}', to: '$&' }, 'en')).toBe('{to} to $&, {by}');
  });
});
