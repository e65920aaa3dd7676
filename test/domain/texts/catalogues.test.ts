import { describe, expect, it } from 'vitest';
import { factKinds } from '../../../lib/domain/policies/fact-catalogue.ts';
import type { Order } from '../../../lib/domain/returns/model/order.ts';
import { languages } from '../../../lib/domain/returns/input-checks.ts';
import { builtInReasons } from '../../../lib/domain/returns/rules/reasons.ts';
import type { PluralForms } from '../../../lib/domain/texts/catalogue.ts';
import { catalogues } from '../../../lib/domain/texts/catalogues.ts';
import { stepViews } from '../../../lib/domain/texts/explain.ts';
import { formatsFor, itemNames, itemText } from '../../../lib/domain/texts/formats.ts';
import { informationOf } from '../../../lib/domain/texts/information.ts';
import { reasonLabels } from '../../../lib/domain/texts/reason-labels.ts';

/** Returns every text of a value with its path. Templates are called with a word. */
const textsIn = (value: unknown, path: string): readonly (readonly [string, string])[] => {
  if (typeof value === 'string') return [[path, value]];
  if (typeof value === 'function') return [[path, (value as (...parts: string[]) => string)('Xyz', '1 May')]];
  return Object.entries(value as object).flatMap(([name, inner]) => textsIn(inner, `${path}/${name}`));
};

const isSentence = (path: string) => !/^\/(locale|unnamedItem|resolutions|information)(\/|$)/.test(path);

describe.each(languages)('texts in %s', (language) => {
  const catalogue = catalogues[language];
  const texts = textsIn(catalogue, '');

  it('use a locale that Intl supports', () => {
    expect(Intl.NumberFormat.supportedLocalesOf([catalogue.locale])).toEqual([catalogue.locale]);
    expect(new Intl.DateTimeFormat(catalogue.locale).resolvedOptions().locale.slice(0, 2)).toBe(language);
  });

  it.each(texts)('%s is short, plain and complete: %s', (path, text) => {
    expect(text.length).toBeLessThanOrEqual(90);
    expect(text).not.toMatch(/\s\s|^\s|\s$|undefined|\[|_|;/);
    if (!isSentence(path)) return;
    expect(text).toMatch(/^[\p{Lu}{X]/u);
    // One sentence, with one full stop at the end.
    expect(text.match(/[.!?]/g)).toEqual(['.']);
    expect(text.at(-1)).toBe('.');
    expect(text.split(' ').length).toBeLessThanOrEqual(16);
  });

  it('have every plural form that the language uses for integers', () => {
    const rules = new Intl.PluralRules(catalogue.locale);
    const forms: PluralForms = catalogue.moreMissing;
    for (const count of [0, 1, 2, 11, 21, 100]) expect(Object.keys(forms)).toContain(rules.select(count));
    for (const text of Object.values(forms)) expect(text).toContain('{n}');
  });

  it('have a label for every built-in reason', () => {
    const labels = reasonLabels.get('fit.too_small') ?? {};
    expect(Object.keys(labels).toSorted()).toEqual([...languages].toSorted());
    expect([...reasonLabels.keys()].toSorted()).toEqual([...builtInReasons.keys()].toSorted());
    for (const all of reasonLabels.values()) expect(all[language]).toMatch(/^\p{Lu}(?!.*\s\s).{2,60}[^.\s]$/u);
  });

  it('have one word for an order in Portuguese', () => {
    if (language !== 'pt') return;
    const labels = [...reasonLabels.values()].map((all) => all.pt ?? '');
    expect([...texts.map(([, text]) => text), ...labels].filter((text) => /pedid[oa]/i.test(text))).toEqual([]);
  });

  it('differ from the English ones', () => {
    if (language === 'en') return;
    const same = texts.filter(([path, text]) => new Map(textsIn(catalogues.en, '')).get(path) === text);
    expect(same).toEqual([]);
  });
});

it('every fact has a text, and no other text exists', () => {
  expect(Object.keys(informationOf).toSorted()).toEqual([...factKinds.keys()].toSorted());
});

describe('formats', () => {
  const money = (language: (typeof languages)[number], amount: number, currency: string) =>
    formatsFor(catalogues[language])
      .money({ amount, currency })
      .replaceAll(/[\u00a0\u202f]/g, ' ');

  it('write amounts with the decimals of their currency, to the last digit', () => {
    expect(money('en', 490, 'EUR')).toBe('€4.90');
    expect(money('en', -5, 'USD')).toBe('-US$0.05');
    expect(money('pt', 123_456, 'BRL')).toBe('R$ 1.234,56');
    expect(money('es', 490, 'EUR')).toBe('4,90 €');
    expect(money('fr', 490, 'EUR')).toBe('4,90 €');
    expect(money('de', 5000, 'JPY')).toBe('5.000 ¥');
    expect(money('en', 1234, 'KWD')).toBe('KWD 1.234');
    expect(money('en', 900_719_925_474_099, 'EUR')).toBe('€9,007,199,254,740.99');
  });

  it('write dates in the style of the language', () => {
    const dates = languages.map((language) => formatsFor(catalogues[language]).date('2026-12-01'));
    expect(dates).toEqual([
      '1 December 2026',
      '1 de dezembro de 2026',
      '1 de diciembre de 2026',
      '1. Dezember 2026',
      '1er décembre 2026',
    ]);
    expect(formatsFor(catalogues.fr).date('2026-12-21')).toBe('21 décembre 2026');
  });
});

describe('name of an item', () => {
  const nameOf = (line: object) => {
    const lines = [{ lineId: '1', quantity: 1, unitPrice: { amount: 1, currency: 'EUR' }, ...line }];
    return itemNames({ facts: { currency: 'EUR', lines } } as unknown as Order).get('1');
  };

  it('is the title on one line, or else the SKU', () => {
    expect(nameOf({ title: ' Electric \n toothbrush ', sku: 'TB-1' })).toBe('Electric toothbrush');
    expect(nameOf({ title: '  ', sku: 'TB-1' })).toBe('TB-1');
    expect(nameOf({})).toBeUndefined();
  });

  it('is shortened without splitting a character', () => {
    expect(nameOf({ title: 'x'.repeat(500) })).toBe(`${'x'.repeat(79)}…`);
    expect(nameOf({ title: `${'x'.repeat(78)}🎁🎁🎁` })).toBe(`${'x'.repeat(78)}…`);
  });

  it('follows the number of units', () => {
    expect(itemText(catalogues.de, 1200, 'Hemd')).toBe('1.200 × Hemd');
  });
});

it('the steps of a quote contain the names of its items', () => {
  const amount = { amount: 1999, currency: 'EUR' };
  const steps = [
    { rule: 'goods', amount, about: { kind: 'goods', orderLineId: '1', quantity: 2 } },
    { rule: 'restocking', amount, about: { kind: 'restocking' } },
    { rule: 'shipping', amount, about: { kind: 'shipping', share: 'with_last_goods' } },
  ] as const;
  expect(stepViews(steps, new Map([['1', 'Hemd']]), 'de')).toEqual([
    { rule: 'goods', amount, detail: '2 × Hemd zum bezahlten Preis, mit Rabatten und Steuern.' },
    { rule: 'restocking', amount, detail: 'Bearbeitungsgebühr.' },
    { rule: 'shipping', amount, detail: 'Die Versandkosten werden mit der letzten zurückgegebenen Ware abgerechnet.' },
  ]);
});
