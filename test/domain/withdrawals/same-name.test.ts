import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { foldName, isSameName } from '../../../lib/domain/withdrawals/same-name.ts';
import { runs } from '../../support/samples.ts';

/** Letters of many scripts, marks, spaces, punctuation and any other characters. */
const nameLike = fc.oneof(
  fc.string({ unit: 'grapheme', maxLength: 40 }),
  fc.string({ unit: 'binary', maxLength: 40 }),
  fc.string({ unit: fc.constantFrom(...Array.from('aÀßſıİŁøéΣςЙё山ガﾊﾟ홍राम -,.’')), maxLength: 20 }),
);

describe('isSameName', () => {
  it.each([
    ['case', 'ADA LOVELACE', 'ada lovelace'],
    ['accents', 'José Gonçalves', 'Jose Goncalves'],
    ['accents as marks of their own', 'Jose\u0301 Gonc\u0327alves', 'José Gonçalves'],
    ['letters without a decomposition', 'Søren Łukasz Æbelø', 'Soren Lukasz Aebelo'],
    ['the sharp s', 'Anna Groß', 'ANNA GROSS'],
    ['the dotted and the dotless i', 'IŞIK İNCE', 'ışık ince'],
    ['a final sigma', 'Γιώργος', 'ΓΙΩΡΓΟΣ'],
    ['the order of the parts', 'Silva, Maria da', 'Maria da Silva'],
    ['white space', '  Ada\u00a0 \tLovelace ', 'Ada Lovelace'],
    ['hyphens', 'Anne-Marie Müller–Lang', 'Anne Marie Müller Lang'],
    ['apostrophes', "Sinéad O'Connor", 'Sinead O’Connor'],
    ['an apostrophe with two characters in Unicode', 'O\u00b4Connor Ana', 'O\u1ffdConnor Ana'],
    ['a point after an initial', 'Ada B. Lovelace', 'Ada B Lovelace'],
    ['invisible characters', 'Ada\u200b Love\u00adlace', 'Ada Lovelace'],
    ['width', 'Ａｄａ　Ｌｏｖｅｌａｃｅ', 'Ada Lovelace'],
    ['half-width Katakana', 'ﾔﾏﾀﾞ ﾀﾛｳ', 'ヤマダ　タロウ'],
    ['a space between Chinese characters', '山田太郎', '太郎 山田'],
    ['composed Hangul', '홍길동'.normalize('NFD'), '홍 길동'],
    ['ligatures', 'Steﬃ Graf', 'Steffi Graf'],
    ['parts that occur twice', 'Ana Ana', 'ANA, ANA'],
  ])('ignores differences of %s', (_, one, other) => {
    expect([isSameName(one, other), isSameName(other, one)]).toEqual([true, true]);
  });

  it.each([
    ['another given name', 'Ada Lovelace', 'Bob Lovelace'],
    ['an initial', 'A. Lovelace', 'Ada Lovelace'],
    ['a missing middle name', 'Maria Silva', 'Maria Aparecida Silva'],
    ['a missing particle', 'Maria Silva', 'Maria da Silva'],
    ['one part twice', 'Ana Ana', 'Ana'],
    ['a title', 'Dr. Ada Lovelace', 'Ada Lovelace'],
    ['parts without their space', 'AdaLovelace', 'Ada Lovelace'],
    ['a transcribed umlaut', 'Jutta Mueller', 'Jutta Müller'],
    ['marks that are letters', 'राम', 'रम'],
    ['a voiced sound mark', 'かき', 'がき'],
    ['another script', 'Иван Петров', 'Ivan Petrov'],
  ])('returns false for %s', (_, one, other) => {
    expect([isSameName(one, other), isSameName(other, one)]).toEqual([false, false]);
  });

  it.each([
    ['an empty text', ''],
    ['white space and punctuation', ' -., '],
    ['a picture', '😀😀'],
    ['one letter', 'A.'],
    ['accents alone', '\u0301\u0302'],
    ['an e-mail address, which shops show without a name', 'ada@example.com'],
    ['a telephone number', '+49 30 123456'],
    ['digits of another script', 'Ada ١٢'],
  ])('returns false for %s, even against itself', (_, text) => {
    expect([foldName(text), isSameName(text, text)]).toEqual(['', false]);
  });

  it('is symmetric, and true for a name and its own folding', () => {
    fc.assert(
      fc.property(nameLike, nameLike, (one, other) => {
        expect(isSameName(one, other)).toBe(isSameName(other, one));
        expect(isSameName(one, foldName(one))).toBe(foldName(one) !== '');
      }),
      { numRuns: runs(2_000) },
    );
  });
});

describe('foldName', () => {
  it('is idempotent, and ignores normal form, case and order of generated names', () => {
    fc.assert(
      fc.property(nameLike, (name) => {
        const folded = foldName(name);
        expect(foldName(folded)).toBe(folded);
        for (const form of ['NFC', 'NFD'] as const) expect(foldName(name.normalize(form))).toBe(folded);
        expect(foldName(name.split(' ').toReversed().join(' '))).toBe(folded);
      }),
      { numRuns: runs(5_000) },
    );
  });

  it('is idempotent, and ignores case, for each character that has another form', () => {
    const unstable: string[] = [];
    for (let point = 0; point <= 0x1_ff_ff; point += 1) {
      const character = String.fromCodePoint(point);
      const forms = [character.normalize('NFKD'), character.toLowerCase(), character.toUpperCase()];
      if (forms.every((form) => form === character)) continue;
      const folded = foldName(`${character}x`);
      const isStable = foldName(folded) === folded && forms.every((form) => foldName(`${form}x`) === folded);
      if (!isStable) unstable.push(character);
    }
    // The uppercase of an iota below another letter is a letter of its own.
    expect(unstable.filter((character) => !character.normalize('NFD').includes('\u0345'))).toEqual([]);
  });

  it('folds the longest name of a declaration, whose characters expand', () => {
    expect(foldName('ﷺ'.repeat(200))).toBe(foldName('ﷺ'.normalize('NFKC').repeat(200)));
    expect(foldName(`${'a'.repeat(199)} b`)).toHaveLength(201);
  });
});
