import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { languages } from '../../../lib/domain/returns/input-checks.ts';
import { receiptDocument } from '../../../lib/domain/withdrawals/receipt/receipt-document.ts';
import { receiptTexts } from '../../../lib/domain/withdrawals/receipt/receipt-texts.ts';
import { buildReceipt } from '../../../lib/domain/withdrawals/receipt/receipt.ts';
import { anyInput, receiptInput, signed } from './fixtures.ts';

const documentOf = (changes: Parameters<typeof signed>[0], language: (typeof languages)[number] = 'en') =>
  receiptDocument(signed({ language, ...changes }), language);

describe.each(languages)('receipt in %s', (language) => {
  const receipt = signed({ language });
  const { title, text, html } = receiptDocument(receipt, language);

  it('shows content, time, number, hash and the signed receipt in both forms', () => {
    const shown = [
      title,
      'wdr_01KB0000000000000000000000',
      'Jana Muster',
      'jana@example.com',
      'Order #1001',
      '2 × shirt',
      receiptTexts[language].statement,
      '03:00:12 (UTC+01:00, Europe/Berlin)',
      'https://receipts.example.com/.well-known/withdrawal-receipts.json',
      receipt.sha256,
      buildReceipt(receipt),
    ];
    for (const part of shown) {
      expect(text).toContain(part);
      expect(html).toContain(part);
    }
    expect(text).toContain('2026');
  });

  it('is a page in its language without scripts, links and remote resources', () => {
    expect(html.startsWith(`<!doctype html>\n<html lang="${language}">`)).toBe(true);
    expect(html.match(/<(script|link|img|iframe|form|a|base|object|embed|style)\b/gi)).toBeNull();
    expect(html.match(/\s(src|href|on\w+|action)=/gi)).toBeNull();
  });

  it('has sentences that end as sentences', () => {
    const { intro, next, statement, verify } = receiptTexts[language];
    for (const sentence of [intro, ...next, statement, verify.intro, verify.onRequest, verify.published('x')])
      expect(sentence).toMatch(/^\p{Lu}.*\.$/u);
    expect(new Intl.DateTimeFormat(receiptTexts[language].locale).resolvedOptions().locale.slice(0, 2)).toBe(language);
  });
});

describe('statement', () => {
  // Annex I(B) of Directive 2011/83/EU in the singular, without the goods.
  it.each([
    ['en', 'I hereby give notice that I withdraw from my contract.'],
    ['pt', 'Pela presente comunico que me retrato do meu contrato (livre resolução ou arrependimento).'],
    ['es', 'Por la presente le comunico que desisto de mi contrato.'],
    ['de', 'Hiermit widerrufe ich den von mir abgeschlossenen Vertrag.'],
    ['fr', 'Je vous notifie par la présente ma rétractation du contrat.'],
  ] as const)('has the words of the model form in %s', (language, statement) => {
    expect(receiptTexts[language].statement).toBe(statement);
  });
});

describe('receiptDocument', () => {
  it('writes dates as each language does', () => {
    const at = { declaredAt: '2026-12-31T23:30:00Z', timeZone: 'Europe/Berlin' };
    const dates = languages.map((language) => /^ {2}(.*), 00:30:00/m.exec(documentOf(at, language).text)?.[1]);
    expect(dates).toEqual([
      '1 January 2027',
      '1 de janeiro de 2027',
      '1 de enero de 2027',
      '1. Januar 2027',
      '1er janvier 2027',
    ]);
  });

  it('names the whole contract where the consumer names no goods', () => {
    const content = { name: 'a', email: 'b', contract: 'c' };
    expect(documentOf({ content }).text).toContain('Goods or services:\n  the whole contract\n');
  });

  it('offers the keys on request where no address publishes them', () => {
    const { text } = documentOf({ issuer: 'urn:returns:prod' });
    expect(text).toContain(receiptTexts.en.verify.onRequest);
    expect(text).not.toContain('.well-known');
  });

  it('escapes markup of the consumer', () => {
    const name = `<img src=x onerror="alert('1')">&amp;`;
    const { html, text } = documentOf({ content: { name, email: 'b', contract: 'c' } });
    expect(html).toContain('&lt;img src=x onerror=&quot;alert(&#39;1&#39;)&quot;&gt;&amp;amp;');
    expect(text).toContain(name);
  });

  it('indents each line of the consumer, so that none looks like a label', () => {
    const name = 'A\nDate and time:\r\n  1 January 2020\u2028Contract:\u0085all';
    const { text } = documentOf({ content: { name, email: 'b', contract: 'c' } });
    expect(text).toContain('Name:\n  A\n  Date and time:\n  1 January 2020\n  Contract:\n  all\nE-mail address:');
  });

  it('removes characters that reorder or hide text', () => {
    const name = 'A\u202Etxt\u2066B\u0000C\u001B[31mD\u200F';
    const { text, html } = documentOf({ content: { name, email: 'b', contract: 'c' } });
    expect(text).toContain('  A txt B C [31mD\n');
    expect(html).toContain('<bdi>A txt B C [31mD</bdi>');
  });

  it('has the same labels and no markup of the consumer, for any declaration', () => {
    const labels = (text: string) => text.split('\n').filter((line) => /^[A-Z].*:$/.test(line));
    const expected = labels(documentOf({}).text);
    const tags = (html: string) => (html.match(/<(?!\/?bdi>|br>)[^>]*>/g) ?? []).join('');
    const { html } = documentOf({});
    fc.assert(
      fc.property(anyInput, ({ content }) => {
        const document = documentOf({ ...receiptInput(), content });
        expect(labels(document.text)).toEqual(expected);
        expect(tags(document.html)).toBe(tags(html).replace('lang="de"', 'lang="en"'));
      }),
    );
  });
});
