import { describe, expect, it } from 'vitest';
import {
  keyTag,
  loggedDigest,
  normalizeSearched,
  personDigests,
  searchDigest,
} from '../../../lib/store/personal/customer-search.ts';
import { runsEveryCase } from '../../support/samples.ts';

const key = { id: 'first', secret: 'a-secret-of-at-least-32-characters' };
const other = { id: 'first', secret: 'another-secret-of-32-characters-x' };

describe('normalizeSearched', () => {
  it.each([
    ['Ada@Example.com', 'ada@example.com'],
    [' \t Ada\u00a0\u2003\nLovelace\r\n', 'ada lovelace'],
    ['ＡＤＡ＠Ｅｘａｍｐｌｅ．ｃｏｍ', 'ada@example.com'],
    ['Straße', 'strasse'],
    ['STRAẞE', 'strasse'],
    ['ﬁnﬄe', 'finffle'],
    ['ΟΔΥΣΣΕΥΣ', 'οδυσσευσ'],
    ['Οδυσσευς', 'οδυσσευσ'],
    ['I', 'i'],
    ['İ', 'i̇'],
    ['ı', 'ı'],
    ['Å', 'å'],
    ['A\u030a', 'å'],
    ['Ⅷ', 'viii'],
    ['\u2126', 'ω'],
    ['\u3000', ''],
    ['', ''],
  ])('writes the address %j as %j, in any locale', (text, normal) => {
    expect(normalizeSearched('email', text)).toBe(normal);
  });

  it.each([
    ['Zélia Quintão', 'quintao zelia'],
    ['zelia quintao', 'quintao zelia'],
    ['QUINTÃO, Zélia', 'quintao zelia'],
    ['Søren Łukasz-Æbelø', 'aebelo lukasz soren'],
    ["Sinéad O'Connor", 'oconnor sinead'],
    ['IŞIK İNCE', 'ince isik'],
    // Texts that are no name keep the order and all characters.
    ['  Café\u00a0 24 ', 'cafe 24'],
    ['Á', 'a'],
    ['ÁDA@example.com', 'ada@example.com'],
    ['-', '-'],
    ['\u3000', ''],
    ['\u0301', ''],
    ['', ''],
  ])('writes the name %j as %j', (text, normal) => {
    expect(normalizeSearched('name', text)).toBe(normal);
  });

  it('is idempotent, and the same for each case and form of an address', () => {
    const step = runsEveryCase() ? 1 : 53;
    const different: string[] = [];
    for (let code = 0; code < 0x11_0000; code += step) {
      const text = `a${String.fromCodePoint(code)}b`;
      const normal = normalizeSearched('email', text);
      const forms = [normal, text.normalize('NFD'), text.normalize('NFKC'), ` ${text} `];
      // The uppercase of a dotless i is that of a dotted one.
      if (code !== 0x1_31) forms.push(text.toUpperCase(), text.toLowerCase());
      if (forms.some((form) => normalizeSearched('email', form) !== normal)) different.push(code.toString(16));
    }
    expect(different).toEqual([]);
  });

  it('is idempotent for a name, and for a text that is none', () => {
    const different: string[] = [];
    for (let code = 0; code < 0x11_0000; code += 53)
      for (const start of ['a', '1']) {
        const text = `${start}${String.fromCodePoint(code)}b`;
        const normal = normalizeSearched('name', text);
        const forms = [normal, text.normalize('NFD'), ` ${text} `];
        if (forms.some((form) => normalizeSearched('name', form) !== normal)) different.push(`${start} ${code}`);
      }
    expect(different).toEqual([]);
  });
});

describe('digests of the search', () => {
  it('separate addresses, names, logs and keys', () => {
    const digests = [key, other].flatMap((one) =>
      (['email', 'name'] as const).flatMap((kind) => [
        searchDigest(one, { kind, text: 'ada' }),
        loggedDigest(one, { kind, text: 'ada' }),
      ]),
    );
    expect(new Set(digests).size).toBe(8);
    for (const digest of digests) expect(digest).toMatch(/^[0-9a-f]{64}$/);
    expect(keyTag(key)).not.toBe(keyTag(other));
  });

  it('lead to a person by each text that is not empty, and to no one without a key', () => {
    expect(personDigests(key, { email: 'ADA@example.com', name: ' ' })).toEqual([
      searchDigest(key, { kind: 'email', text: 'ada@example.com' }),
    ]);
    expect(personDigests(key, { email: 'a', name: 'a' })).toHaveLength(2);
    expect(personDigests(undefined, { email: 'a', name: 'a' })).toEqual([]);
  });
});
