import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { NewWithdrawal } from '../../../lib/contract/withdrawals/withdrawal.ts';
import { languages } from '../../../lib/domain/returns/input-checks.ts';
import { type Entries, entryErrorsOf, parseForm } from '../../../lib/edge/withdraw-page/form.ts';
import type { PageContext } from '../../../lib/edge/withdraw-page/layout.ts';
import { failedReceiptPage } from '../../../lib/edge/withdraw-page/notes.ts';
import {
  formPage,
  receiptPage,
  reviewPage,
  storedPage,
  unavailablePage,
} from '../../../lib/edge/withdraw-page/pages.ts';
import { receiptDocument } from '../../../lib/domain/withdrawals/receipt/receipt-document.ts';
import { runs } from '../../support/samples.ts';
import { signed } from '../../domain/withdrawals/fixtures.ts';
import { hiddenFields, tagsOf } from './markup.ts';

const ada: Entries = { name: 'Ada', contract: '#1001', email: 'ada@example.com', lines: '' };

/** Returns the texts that the page reads from a form. */
const entered = (changes: Partial<Entries>): Entries => {
  const body = new URLSearchParams({ step: 'review', ...ada, ...changes }).toString();
  const parsed = parseForm(Buffer.from(body), 'application/x-www-form-urlencoded');
  if (!parsed.ok || parsed.submission.step !== 'review') throw new Error('no form');
  return parsed.submission.entries;
};

describe('texts of a form', () => {
  it('lose characters without a shape, so that name and order number are what the consumer sees', () => {
    const { name, contract, lines } = entered({
      name: '\u202EAda\u2069 Love\u200Blace\uFEFF',
      contract: '\u2066#\u00AD10\u206001\u202C',
      lines: 'one\u202E\ntwo',
    });
    expect({ name, contract, lines }).toEqual({ name: 'Ada Lovelace', contract: '#1001', lines: 'one\ntwo' });
  });

  it('keep the characters that scripts and emoji need', () => {
    const name = 'نیم\u200Cفاصله 👩\u200D💻 \u200Eשם';
    expect(entered({ name }).name).toBe(name);
  });

  it('have an address without format characters, because no mail arrives at such an address', () => {
    expect(entered({ email: '\u202Aada\u200E@exam\u200Dple.com\u202C' }).email).toBe('ada@example.com');
  });

  it('are on one line, except the goods', () => {
    const text = 'a\u2028Date:\u2029b\u0085c\r\nBcc: d\ne';
    expect(entered({ name: text }).name).toBe('a Date: b c Bcc: d e');
    expect(entered({ contract: text }).contract).toBe('a Date: b c Bcc: d e');
    expect(entered({ lines: text }).lines).toBe('a\nDate:\nb\nc\nBcc: d\ne');
    expect(entryErrorsOf(entered({ email: 'ada@example.com\r\nBcc: bob@example.com' }))).toEqual({
      email: 'malformed',
    });
  });

  it('that are only invisible count as missing', () => {
    expect(entryErrorsOf(entered({ name: '\u200B\u202E', contract: '\uFEFF' }))).toEqual({
      name: 'missing',
      contract: 'missing',
    });
  });

  it('stay the same when the page sends them back', () => {
    const any = fc.string({ unit: 'binary', maxLength: 30 });
    fc.assert(
      fc.property(any, any, (name, lines) => {
        const once = entered({ name: name.toWellFormed(), lines: lines.toWellFormed() });
        expect(entered(once)).toEqual(once);
      }),
    );
  });
});

describe('address', () => {
  it.each([
    '<ada@example.com>',
    'ada@example.com,',
    'ada@example.com,root',
    'ada@example.com;root',
    'Ada:ada@example.com',
    'mailto:ada@example.com',
    'ada@example.com?bcc=bob%40example.com',
    'ada@example.com&cc=bob',
    'ada@example.com"',
    'bob,ada@example.com',
    'x?bcc=bob@example.com',
    'x?cc=a%40b.com&bcc=bob@example.com',
    'a@b.com,c@d.com',
    'a@b.com;c@d.com',
    'a@b.com c@d.com',
    'a@b.com\u00A0c@d.com',
    'Ada <a@b.com>',
    'a%0abcc:c@d.com',
    'a%0Abcc@d.com',
    'a%40d.com@b.com',
    'c%d.com@b.com',
    'd.com!c@b.com',
    '"a b"@b.com',
    '(ada)ada@b.com',
    'ada@b.com(ada)',
    'ada@b.com#c',
    'ada@b.com/c',
    'ada@b.com:25',
    'ada@b.com.',
    'ada@.b.com',
    'ada@b..com',
    'ada@-b.com',
    'ada@b_c.com',
    'ada@%62.com',
    '//ada@b.com',
    'ada@192.0.2.1',
    'ada@0x7f.1',
    'ada@[192.0.2.1]',
    'ada@b\uFF0Ccom',
    'ada\uFF20b.com',
    'ada@b\u3002com',
    '@b.com',
    'ada@',
    `ada@${'b'.repeat(64)}.com`,
    `ada@${'b.'.repeat(126)}com`,
  ])('%s is refused: a mail to it would fail or have another recipient', (email) => {
    expect(entryErrorsOf({ ...ada, email })).toEqual({ email: 'malformed' });
  });

  it.each([
    "o'brien+shop@example.com",
    'a.b-c_d=e&f@sub.example.co',
    'ä@ö.example',
    'ÅSE@EXEMPEL.SE',
    '用户@例子.公司',
    'अजय@डाटा.भारत',
    'a..b.@example.ne.jp',
    '1@2.example',
    'ada@xn--bcher-kva.example',
  ])('%s is accepted', (email) => {
    expect(entryErrorsOf({ ...ada, email })).toEqual({});
  });

  it('without a dot in its domain is accepted when the page has asked about the same address', () => {
    const zoe = { ...ada, email: 'zoe@exemplo' };
    expect(entryErrorsOf(zoe)).toEqual({ email: 'incomplete' });
    expect(entryErrorsOf({ ...zoe, asked: 'zoe@exempl' })).toEqual({ email: 'incomplete' });
    expect(entryErrorsOf({ ...zoe, asked: zoe.email })).toEqual({});
    expect(entryErrorsOf({ ...zoe, email: 'a@b?bcc=c', asked: 'a@b?bcc=c' })).toEqual({ email: 'malformed' });
  });

  it('that is accepted has one recipient for a parser of lists of mailboxes and for a mailto link', () => {
    const unit = fc.constantFrom(...Array.from('a.@ ,;:<>()[]"\\?#%&=+!/\'`|{}\u00A0\u2028ä。＠0A'));
    const usual = 'ada@example.com';
    const accepted = fc
      .tuple(fc.nat(usual.length), fc.nat(2), fc.string({ minLength: 1, maxLength: 2, unit }))
      .map(([at, cut, inserted]) => usual.slice(0, at) + inserted + usual.slice(at + cut))
      .map((email) => entered({ email }).email)
      .filter((email) => !('email' in entryErrorsOf({ ...ada, email, asked: email })));
    fc.assert(
      fc.property(accepted, (email) => {
        const { pathname, search, hash } = new URL(`mailto:${email}`);
        expect([decodeURIComponent(pathname), search, hash]).toEqual([email, '', '']);
        expect(email.split(/[,;:<>()[\]"\\\s]/)).toEqual([email]);
        expect(email.split('@')).toHaveLength(2);
      }),
      { numRuns: runs(500) },
    );
  });

  it('that the page accepts is one that declareWithdrawal accepts', () => {
    const pattern = new RegExp((NewWithdrawal.properties.email as { pattern?: string }).pattern ?? '');
    const part = fc.string({
      minLength: 1,
      maxLength: 8,
      unit: fc.constantFrom(...Array.from('a@ .,<>;:"()\\?#%&\u00A0\u2028ä')),
    });
    fc.assert(
      fc.property(part, part, (local, domain) => {
        const { email } = entered({ email: `${local}@${domain}` });
        expect('email' in entryErrorsOf({ ...ada, email }) || pattern.test(email)).toBe(true);
      }),
    );
  });
});

const attacks = [
  '<script>alert(1)</script>',
  '"><img src=x onerror=alert(1)>',
  "' autofocus onfocus='alert(1)",
  '</textarea></dd></form><form action="https://evil.example">',
  '</title><style>*{display:none}</style><!--',
  '&#60;script&#62; &lt;b&gt; &amp;quot;',
  '${alert(1)} {{7*7}} <%= 1 %>',
  'a\u0000<\u0000script>',
  '\u202E<b>\u2069</bdi><dt>',
  'javascript:alert(1)',
  '\u2028<base href="//evil.example">',
];

describe.each(languages)('markup of an attacker in %s', (language) => {
  const context: PageContext = { language, shop: 'Shop', frameAncestors: [], mailsReceipts: false };
  const pages = (texts: Entries): readonly string[] => [
    formPage(context, texts, { lines: 'rejected' }),
    reviewPage(context, texts, texts.name, true),
    unavailablePage(context, texts, texts.name),
    storedPage(context, { withdrawalId: texts.name, declaredAt: texts.contract }, { entries: texts, key: texts.name }),
    storedPage(context, { withdrawalId: texts.name, declaredAt: texts.contract }, { reference: texts.name }),
    failedReceiptPage(context, texts.name),
    receiptPage(context, {
      isKnown: true,
      withdrawalId: texts.name,
      declaredAt: texts.name,
      content: texts,
      sha256: texts.contract,
      reference: texts.lines,
      download: texts.lines,
    }),
    formPage({ ...context, shop: texts.name }, texts),
  ];
  /** Everything of a page that is no text: its tags, and their attributes except the values of fields. */
  const shape = (page: string) =>
    tagsOf(page).map(({ name, attributes }) => [name, Object.keys(attributes), attributes['action']]);
  const plain = pages({ name: 'x', contract: 'x', email: 'x', lines: 'x' }).map(shape);

  it.each(attacks)('stays text on every page: %j', (attack) => {
    const texts = { name: attack, contract: attack, email: attack, lines: attack };
    expect(pages(texts).map(shape)).toEqual(plain);
    expect(hiddenFields(reviewPage(context, texts, 'key', false))).toEqual({ ...texts, key: 'key' });
  });

  it.each(attacks)('stays text in the receipt: %j', (attack) => {
    const content = { name: attack, contract: attack, email: attack, lines: attack };
    const shown = receiptDocument(signed({ language, content }), language);
    const expected = receiptDocument(signed({ language, content: { name: 'x', contract: 'x', email: 'x' } }), language);
    const tags = (html: string) => html.match(/<(?!\/?bdi>|br>)[^>]*>/g);
    expect(tags(shown.html)).toEqual(tags(expected.html));
    // A line of the consumer is indented, so it is neither a label nor the header of a mail.
    const ownLines = (text: string) =>
      text.split('\n').filter((line) => /^\S/.test(line) && !/^eyJ|[0-9a-f]{64}/.test(line));
    expect(ownLines(shown.text)).toEqual(ownLines(expected.text));
  });
});
