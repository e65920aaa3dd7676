import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { NewWithdrawal } from '../../../lib/contract/withdrawals/withdrawal.ts';
import {
  declarationOf,
  emptyEntries,
  type Entries,
  entryErrorsAt,
  entryErrorsOf,
  fieldNames,
  type FieldName,
  maxFormBytes,
  maxLengths,
  parseForm,
} from '../../../lib/edge/withdraw-page/form.ts';

const type = 'application/x-www-form-urlencoded';
const parse = (body: string, contentType: string | undefined = type) => parseForm(Buffer.from(body), contentType);

/** A body as a browser writes it. */
const bodyOf = (fields: Readonly<Record<string, string>>): string => new URLSearchParams(fields).toString();

const ada: Entries = { name: 'Ada Lovelace', contract: '#1001', email: 'ada@example.com', lines: '' };

describe('parseForm', () => {
  it('reads the texts of each step', () => {
    for (const step of ['edit', 'review'] as const)
      expect(parse(bodyOf({ step, ...ada }))).toEqual({ ok: true, submission: { step, entries: ada } });
    expect(parse(bodyOf({ step: 'confirm', key: 'k', ...ada }))).toEqual({
      ok: true,
      submission: { step: 'confirm', key: 'k', entries: ada },
    });
    expect(parse(bodyOf({ step: 'download', receipt: 'r', format: 'jws' }))).toEqual({
      ok: true,
      submission: { step: 'download', receipt: 'r', format: 'jws' },
    });
  });

  it('accepts a charset of UTF-8', () => {
    expect(parse(bodyOf({ step: 'edit' }), `${type}; charset=UTF-8`)).toMatchObject({ ok: true });
  });

  it.each([
    ['no media type', bodyOf({ step: 'edit' }), '', 'media_type'],
    ['JSON', '{}', 'application/json', 'media_type'],
    ['multipart', bodyOf({ step: 'edit' }), 'multipart/form-data; boundary=x', 'media_type'],
    ['another charset', bodyOf({ step: 'edit' }), `${type}; charset=latin1`, 'media_type'],
    ['an empty body', '', type, 'malformed'],
    ['a pair without a name', '=a&step=edit', type, 'malformed'],
    ['a pair without a value', 'step', type, 'malformed'],
    ['broken percent-encoding', 'step=edit&name=%zz', type, 'malformed'],
    ['percent-encoding that is not UTF-8', 'step=edit&name=%ff', type, 'malformed'],
    ['half of a surrogate pair', 'step=edit&name=%ed%a0%80', type, 'malformed'],
    ['no step', bodyOf({ ...ada }), type, 'malformed'],
    ['an unknown step', bodyOf({ step: 'erase' }), type, 'malformed'],
    ['a confirmation without a key', bodyOf({ step: 'confirm', ...ada }), type, 'malformed'],
    ['a download without a receipt', bodyOf({ step: 'download', format: 'jws' }), type, 'malformed'],
    ['a download of an unknown format', bodyOf({ step: 'download', receipt: 'r', format: 'pdf' }), type, 'malformed'],
    ['an unknown field', bodyOf({ step: 'review', ...ada, reason: 'none' }), type, 'unknown_field'],
    ['a field of another step', bodyOf({ step: 'review', ...ada, receipt: 'r' }), type, 'unknown_field'],
    ['a name of Object.prototype', bodyOf({ step: 'review', constructor: 'x' }), type, 'unknown_field'],
    ['a field twice', `${bodyOf({ step: 'review', ...ada })}&name=Bob`, type, 'repeated_field'],
    ['a field twice in other spelling', 'step=edit&name=a&n%61me=b', type, 'repeated_field'],
    ['too many bytes', bodyOf({ step: 'edit', lines: 'x'.repeat(maxFormBytes) }), type, 'too_large'],
    ['too many encoded bytes', `step=edit&lines=${'%41'.repeat(maxFormBytes)}`, type, 'too_large'],
  ])('rejects %s', (_, body, contentType, failure) => {
    expect(parse(body, contentType)).toEqual({ ok: false, failure });
  });

  it('rejects bytes that are not UTF-8', () => {
    expect(parseForm(Buffer.from([0x73, 0xff]), type)).toEqual({ ok: false, failure: 'malformed' });
  });

  it('accepts the longest valid texts in every script', () => {
    const longest = Object.fromEntries(fieldNames.map((name) => [name, '𝔸'.repeat(maxLengths[name])]));
    const parsed = parse(bodyOf({ step: 'confirm', key: 'k'.repeat(400), ...longest, email: `${'𝔸'.repeat(318)}@a` }));
    expect(parsed).toMatchObject({ ok: true });
  });

  it('removes control characters and outer white space, and keeps the line ends of the goods', () => {
    const raw = {
      name: ' Ada\u0000\r\nLovelace ',
      contract: '\t#1001\n',
      email: 'ada@example.com',
      lines: 'a\r\nb\u0007\r\n',
    };
    expect(parse(bodyOf({ step: 'edit', ...raw }))).toMatchObject({
      submission: { entries: { name: 'Ada  Lovelace', contract: '#1001', lines: 'a\nb' } },
    });
  });

  it('reads what a browser writes of any text, and never throws', () => {
    const text = fc.string({ unit: 'grapheme', maxLength: 40 });
    fc.assert(
      fc.property(fc.record({ name: text, contract: text, email: text, lines: text }), (entries) => {
        const parsed = parse(bodyOf({ step: 'edit', ...entries }));
        const clean = Object.values(entries).every(
          (one) => one === one.trim() && !/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/u.test(one),
        );
        expect(parsed).toMatchObject({ ok: true, submission: clean ? { entries } : {} });
      }),
    );
    fc.assert(fc.property(fc.uint8Array({ maxLength: 200 }), (bytes) => void parseForm(bytes, type)));
  });
});

describe('entryErrorsOf', () => {
  it('requires name, contract and e-mail address, and nothing else', () => {
    expect(entryErrorsOf(ada)).toEqual({});
    expect(entryErrorsOf(emptyEntries)).toEqual({ name: 'missing', contract: 'missing', email: 'missing' });
  });

  it('has the limits of declareWithdrawal, and its verdict on usual addresses', () => {
    const { properties } = NewWithdrawal;
    const limitOf = (name: FieldName) => (properties[name] as { readonly maxLength?: number }).maxLength;
    expect(maxLengths).toEqual(Object.fromEntries(fieldNames.map((name) => [name, limitOf(name)])));
    const pattern = new RegExp((properties.email as { pattern?: string }).pattern ?? '');
    for (const email of ['ada', 'ada@', '@a', 'a@b@c', 'a b@c', 'a@b', 'ä@ö.example'])
      expect([email, entryErrorsOf({ ...ada, email, asked: 'a@b' })]).toEqual([
        email,
        pattern.test(email) ? {} : { email: 'malformed' },
      ]);
  });

  it('counts characters, not UTF-16 units', () => {
    expect(entryErrorsOf({ ...ada, name: '😀'.repeat(200) })).toEqual({});
    expect(entryErrorsOf({ ...ada, name: 'x'.repeat(201), lines: 'x'.repeat(2001) })).toEqual({
      name: 'too_long',
      lines: 'too_long',
    });
  });

  it('takes faults of the service from their paths', () => {
    expect(entryErrorsAt(['/email', '/language', ''])).toEqual({ email: 'rejected' });
  });
});

it('omits empty lines from the declaration', () => {
  expect(declarationOf(ada)).toEqual({ name: 'Ada Lovelace', contract: '#1001', email: 'ada@example.com' });
  expect(declarationOf({ ...ada, lines: 'shirt' })).toHaveProperty('lines', 'shirt');
});
