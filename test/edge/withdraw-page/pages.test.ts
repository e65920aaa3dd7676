import { createHash } from 'node:crypto';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { languages } from '../../../lib/domain/returns/input-checks.ts';
import { emptyEntries, type Entries, entryErrorsOf, fieldNames } from '../../../lib/edge/withdraw-page/form.ts';
import { colours, pageHeaders, pageLanguage, type PageContext } from '../../../lib/edge/withdraw-page/layout.ts';
import { pageTexts } from '../../../lib/edge/withdraw-page/page-texts.ts';
import {
  expiredPage,
  failedDownloadPage,
  failedPage,
  failedReceiptPage,
  unknownReceiptPage,
  unreadablePage,
} from '../../../lib/edge/withdraw-page/notes.ts';
import {
  formPage,
  receiptPage,
  reviewPage,
  storedPage,
  unavailablePage,
} from '../../../lib/edge/withdraw-page/pages.ts';
import { receiptPromise } from '../../../lib/edge/withdraw-page/receipt-promise.ts';
import { receiptContent, shownInstant, shownTime } from '../../../lib/edge/withdraw-page/receipt-content.ts';
import { receiptTexts } from '../../../lib/domain/withdrawals/receipt/receipt-texts.ts';
import { hiddenFields, named, tagsOf, textOf } from './markup.ts';
import { runs } from '../../support/samples.ts';

const entries: Entries = { name: 'Ada', contract: '#1001', email: 'ada@example.com', lines: 'one\ntwo' };

const contextIn = (language: PageContext['language'], changes: Partial<PageContext> = {}): PageContext => ({
  language,
  shop: 'Example Shop',
  frameAncestors: [],
  mailsReceipts: true,
  ...changes,
});

const receipt = {
  isKnown: false,
  withdrawalId: 'wdr_01KAJ5B7D9F1H3K5M7P9R1T3V5',
  declaredAt: '26 November 2026, 03:00:12 (UTC+01:00, Europe/Berlin)',
  content: entries,
  sha256: 'ab'.repeat(32),
  reference: 'address',
  download: 'download',
};

/** Every page with the same texts. */
const pagesIn = (context: PageContext, texts: Entries = entries): Readonly<Record<string, string>> => ({
  empty: formPage(context, emptyEntries),
  form: formPage(context, texts),
  faulty: formPage(context, texts, { name: 'missing', contract: 'too_long', email: 'malformed', lines: 'rejected' }),
  review: reviewPage(context, texts, 'key', false),
  again: reviewPage(context, texts, 'key', true),
  receipt: receiptPage(context, { ...receipt, content: texts }),
  stored: storedPage(context, receipt, { reference: 'address' }),
  'stored without a reference': storedPage(context, receipt, { entries: texts, key: 'key' }),
  unavailable: unavailablePage(context, texts, 'key'),
  unreadable: unreadablePage(context, 'malformed'),
  expired: expiredPage(context),
  'unknown receipt': unknownReceiptPage(context),
  'failed receipt': failedReceiptPage(context, 'a&b'),
  failed: failedPage(context),
  'failed download': failedDownloadPage(context),
});

const everyPage = languages.flatMap((language) =>
  Object.entries(pagesIn(contextIn(language))).map(([name, page]) => ({ name, language, page })),
);

describe('words of the law', () => {
  // Article 11a(1) and (3) of Directive 2011/83/EU in the language versions of the Official Journal.
  it.each([
    ['en', 'Withdraw from contract here', 'Confirm withdrawal'],
    ['pt', 'Retrate-se do contrato aqui', 'Confirmar retratação'],
    ['es', 'Desistir del contrato aquí', 'Confirmar desistimiento'],
    ['de', 'Vertrag widerrufen', 'Widerruf bestätigen'],
    ['fr', 'Renoncer au contrat ici', 'Confirmer la rétractation'],
  ] as const)('name the function and the confirmation in %s', (language, withdraw, confirm) => {
    expect(formPage(contextIn(language), emptyEntries)).toContain(`<h1>${withdraw}</h1>`);
    const review = reviewPage(contextIn(language), entries, 'key', false);
    expect(review).toContain(`<button name="step" value="confirm">${confirm}</button>`);
  });

  it('are the same noun on the page and in the receipt in Portuguese', () => {
    const texts = [...Object.values(pagesIn(contextIn('pt'))), JSON.stringify(receiptTexts.pt)];
    for (const text of texts) expect(text).not.toMatch(/desist/i);
    expect(receiptTexts.pt.title).toContain('retratação');
  });
});

describe.each(everyPage)('page $name in $language', ({ name, language, page }) => {
  const ids = tagsOf(page).flatMap(({ attributes }) => attributes['id'] ?? []);

  it('is in its language, with one heading of the first level and a title', () => {
    expect(named(page, 'html')[0]?.attributes).toEqual({ lang: language });
    expect(named(page, 'h1')).toHaveLength(1);
    expect(page).toMatch(/<title>[^<]+ – Example Shop<\/title>/);
    expect(page).not.toMatch(/undefined|\[object/);
  });

  it('has no script, no event handler and no remote resource', () => {
    expect(page).not.toMatch(/<(script|link|img|iframe|object|embed)\b|javascript:|\bon[a-z]+="|url\(/i);
  });

  it('has a label for each control, and no id twice', () => {
    expect(new Set(ids).size).toBe(ids.length);
    const labelled = named(page, 'label').map(({ attributes }) => attributes['for']);
    const controls = [...named(page, 'input'), ...named(page, 'textarea')].filter(
      ({ attributes }) => attributes['type'] !== 'hidden',
    );
    expect(controls.map(({ attributes }) => attributes['id'])).toEqual(labelled);
    for (const { attributes } of controls)
      for (const id of (attributes['aria-describedby'] ?? '').split(' ').filter(Boolean)) expect(ids).toContain(id);
  });

  it('offers the four other languages, and keeps the texts where there are some', () => {
    const keepsTexts = ['form', 'faulty', 'review', 'again', 'unavailable'].includes(name);
    const links = keepsTexts
      ? named(page, 'button').filter(({ attributes }) => attributes['formaction'] !== undefined)
      : named(page, 'a').filter(({ attributes }) => attributes['hreflang'] !== undefined);
    expect(links.map(({ attributes }) => attributes['lang'])).toEqual(languages.filter((one) => one !== language));
    expect(!keepsTexts || ids.includes('declaration')).toBe(true);
  });
});

describe('faults', () => {
  const page = formPage(
    contextIn('en'),
    { ...emptyEntries, name: 'Ada' },
    entryErrorsOf({ ...emptyEntries, name: 'Ada' }),
  );
  const control = (name: string) =>
    named(page, 'input').find(({ attributes }) => attributes['name'] === name)?.attributes;

  it('are in a summary at the top with links to the fields', () => {
    expect(page.indexOf('role="alert"')).toBeLessThan(page.indexOf('<form'));
    const links = named(page, 'a').flatMap(({ attributes }) => attributes['href'] ?? []);
    expect(links.filter((link) => link.startsWith('#'))).toEqual(['#contract', '#email']);
    expect(named(page, 'title')).toHaveLength(1);
    expect(page).toContain('<title>Error: ');
  });

  it('are next to the field, and the first wrong field has the focus', () => {
    expect(control('contract')).toMatchObject({
      'aria-invalid': 'true',
      'aria-describedby': 'contract-hint contract-error',
      autofocus: '',
    });
    expect(control('email')).toMatchObject({ 'aria-invalid': 'true' });
    expect(control('email')).not.toHaveProperty('autofocus');
    expect(control('name')).not.toHaveProperty('aria-invalid');
    expect(page).toContain('<p class="error" id="email-error">Error: Enter your e-mail address.</p>');
  });

  it('keep what the consumer wrote', () => {
    expect(control('name')?.['value']).toBe('Ada');
  });

  it('name the limit in the form of the language', () => {
    expect(formPage(contextIn('de'), entries, { lines: 'too_long' })).toContain('höchstens 2.000 Zeichen');
  });
});

describe('an address without a dot', () => {
  const zoe: Entries = { ...emptyEntries, name: 'Zoe', contract: '1', email: 'zoe@exemplo' };

  it.each(languages)('is asked about at its field in %s, and the form then keeps that it was', (language) => {
    const page = formPage(contextIn(language), zoe, entryErrorsOf(zoe));
    expect(textOf(page)).toContain('.com');
    expect(hiddenFields(page)).toEqual({ asked: 'zoe@exemplo' });
    expect(hiddenFields(formPage(contextIn(language), zoe))).toEqual({});
  });

  it('is not asked about again after the check, a change or an outage', () => {
    const asked = { ...zoe, asked: zoe.email };
    for (const page of [
      formPage(contextIn('en'), asked),
      reviewPage(contextIn('en'), asked, 'key', false),
      unavailablePage(contextIn('en'), asked, 'key'),
    ])
      expect(hiddenFields(page)['asked']).toBe('zoe@exemplo');
  });
});

describe('texts of a consumer', () => {
  it('are never markup', () => {
    const text = fc.oneof(
      fc.string({ maxLength: 60 }),
      fc.constantFrom(
        '<script>alert(1)</script>',
        '"><svg onload=x>',
        "' autofocus onfocus='x",
        '</textarea><a href=x>',
        '&lt;b&gt;',
        '<!--',
      ),
    );
    const shape = Object.values(pagesIn(contextIn('en'))).map((page) => tagsOf(page).map(({ name }) => name));
    fc.assert(
      fc.property(fc.record({ name: text, contract: text, email: text, lines: text }), (texts) => {
        const filled = Object.fromEntries(fieldNames.map((name) => [name, texts[name] === '' ? 'x' : texts[name]]));
        const pages = Object.values(pagesIn(contextIn('en'), filled as Entries));
        expect(pages.map((page) => tagsOf(page).map(({ name }) => name))).toEqual(shape);
      }),
      { numRuns: runs(200) },
    );
  });

  it('survive the check and a repeat', () => {
    const texts = { name: 'A "quoted" <b>', contract: "#1 & '2'", email: 'a&b@example.com', lines: 'one\n\ntwo' };
    expect(hiddenFields(reviewPage(contextIn('en'), texts, 'the key', false))).toEqual({ ...texts, key: 'the key' });
    expect(hiddenFields(unavailablePage(contextIn('en'), texts, undefined))).toEqual(texts);
    expect(formPage(contextIn('en'), texts)).toContain('>\none\n\ntwo</textarea>');
  });

  it('are on the page that reports an outage, with another way to declare', () => {
    const text = textOf(unavailablePage(contextIn('en'), entries, 'key'));
    for (const part of ['Example Shop by e-mail or letter', 'I withdraw from my contract', 'Ada', '#1001', 'Try again'])
      expect(text).toContain(part);
  });
});

describe('receipt', () => {
  it('shows number, time to the second with its zone, content, hash and two downloads', () => {
    const page = receiptPage(contextIn('en'), receipt);
    const text = textOf(page);
    for (const part of [receipt.withdrawalId, receipt.declaredAt, 'Ada', '#1001', 'ada@example.com', receipt.sha256])
      expect(text).toContain(part);
    expect(hiddenFields(page)).toEqual({ step: 'download', receipt: 'download' });
    const formats = named(page, 'button').flatMap(({ attributes }) => attributes['value'] ?? []);
    expect(formats).toEqual(['text', 'jws']);
  });

  it('says that an equal declaration was made before', () => {
    const page = receiptPage(contextIn('en'), { ...receipt, isKnown: true });
    expect(textOf(page)).toContain('This is the receipt of your first declaration.');
  });

  it('keeps its address in the links to other languages, also when it cannot be read now', () => {
    const { receipt: shown = '', stored = '', 'failed receipt': failed = '' } = pagesIn(contextIn('en'));
    const linksOf = (page: string) => named(page, 'a').flatMap(({ attributes }) => attributes['href'] ?? []);
    const others = ['pt', 'es', 'de', 'fr'];
    expect(linksOf(shown)).toEqual(others.map((language) => `?lang=${language}&receipt=address`));
    expect(linksOf(stored)).toEqual([...others, 'en'].map((language) => `?lang=${language}&receipt=address`));
    expect(linksOf(failed)).toEqual([...others, 'en'].map((language) => `?lang=${language}&receipt=a%26b`));
  });

  it.each([
    ['expired', 'Your withdrawal is stored. The receipt is sent to your e-mail address. You need not declare again.'],
    ['unknown receipt', 'If none arrives within a day, declare again: the same declaration counts once.'],
    ['failed receipt', 'Please try again in a few minutes.'],
  ])('says what to do on the page %s', (name, text) => {
    expect(textOf(pagesIn(contextIn('en'))[name] ?? '')).toContain(text);
  });

  it('promise an e-mail only where one is sent', () => {
    const promise = {
      en: /sent to (this|your)/,
      pt: /enviado para/,
      es: /se envía (también )?a/i,
      de: /Adresse (wird die Eingangsbestätigung )?gesendet/,
      fr: /envoyé à/,
    };
    for (const language of languages) {
      const sayingSo = (mailsReceipts: boolean) =>
        Object.entries(pagesIn(contextIn(language, { mailsReceipts })))
          .filter(([, page]) => promise[language].test(textOf(page)))
          .map(([name]) => name);
      expect(sayingSo(true)).toEqual(
        expect.arrayContaining(['form', 'receipt', 'stored', 'expired', 'unknown receipt']),
      );
      expect(sayingSo(false)).toEqual([]);
    }
  });

  it('names the whole contract without lines', () => {
    const page = receiptPage(contextIn('en'), { ...receipt, content: { ...entries, lines: undefined } });
    expect(textOf(page)).toContain('the whole contract');
  });

  it.each([
    ['en', '1 November 2026, 00:30:00 (UTC+01:00, Europe/Berlin)'],
    ['pt', '1 de novembro de 2026, 00:30:00 (UTC+01:00, Europe/Berlin)'],
    ['es', '1 de noviembre de 2026, 00:30:00 (UTC+01:00, Europe/Berlin)'],
    ['de', '1. November 2026, 00:30:00 (UTC+01:00, Europe/Berlin)'],
    ['fr', '1er novembre 2026, 00:30:00 (UTC+01:00, Europe/Berlin)'],
  ] as const)('has the time in %s', (language, expected) => {
    expect(shownInstant('2026-10-31T23:30:00.999Z', 'Europe/Berlin', language)).toBe(expected);
  });

  it('shows UTC as an offset', () => {
    const shown = shownTime({ declaredAt: '2026-11-26T03:00:12Z', timeZone: 'UTC' }, 'en');
    expect(shown).toBe('26 November 2026, 03:00:12 (UTC+00:00, UTC)');
  });

  it.each([
    ['no object', null],
    ['no content', { declaredAt: '2026-11-26T03:00:12Z', timeZone: 'UTC' }],
    ['another time', { declaredAt: 'today', timeZone: 'UTC', content: entries }],
    ['no zone', { declaredAt: '2026-11-26T03:00:12Z', content: entries }],
    [
      'a name that is no text',
      { declaredAt: '2026-11-26T03:00:12Z', timeZone: 'UTC', content: { ...entries, name: 1 } },
    ],
    [
      'lines that are no text',
      { declaredAt: '2026-11-26T03:00:12Z', timeZone: 'UTC', content: { ...entries, lines: 1 } },
    ],
  ])('is not read from a payload with %s', (_, payload) => {
    expect(receiptContent(payload)).toBeUndefined();
  });
});

describe('headers', () => {
  it('allow the style of the page, posts to itself, and nothing else', () => {
    const headers = pageHeaders(contextIn('de'));
    const [, style = ''] = /<style>([\s\S]*?)<\/style>/.exec(formPage(contextIn('de'), emptyEntries)) ?? [];
    const hash = createHash('sha256').update(style).digest('base64');
    expect(headers['content-security-policy']).toBe(
      `default-src 'none'; style-src 'sha256-${hash}'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'`,
    );
    expect(headers).toMatchObject({
      'cache-control': 'no-store',
      'content-language': 'de',
      'referrer-policy': 'no-referrer',
      'x-content-type-options': 'nosniff',
      'x-frame-options': 'DENY',
    });
    expect(headers).not.toHaveProperty('set-cookie');
  });

  it('let the named origins show the page in a frame', () => {
    const headers = pageHeaders(contextIn('de', { frameAncestors: ['https://a.example', 'https://*.b.example'] }));
    expect(headers['content-security-policy']).toMatch(
      /frame-ancestors https:\/\/a\.example https:\/\/\*\.b\.example$/,
    );
    expect(headers).not.toHaveProperty('x-frame-options');
  });
});

it('takes the language of the address before that of the browser', () => {
  expect(pageLanguage('fr', 'de')).toBe('fr');
  expect(pageLanguage('xx', 'de-AT, en;q=0.5')).toBe('de');
  expect(pageLanguage(undefined, undefined)).toBe('en');
});

it('works without the name of a shop', () => {
  for (const language of languages)
    for (const page of Object.values(pagesIn(contextIn(language, { shop: undefined }))))
      expect(page).not.toMatch(/undefined|class="shop"/);
  expect(pageTexts.de.intro(undefined)).toContain('gegenüber dem Shop');
});

describe('colours', () => {
  const luminance = (colour: string): number => {
    const [red = 0, green = 0, blue = 0] = [1, 3, 5].map((at) => {
      const value = Number.parseInt(colour.slice(at, at + 2), 16) / 255;
      return value <= 0.040_45 ? value / 12.92 : ((value + 0.055) / 1.055) ** 2.4;
    });
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
  };

  const schemes = ['light', 'dark'] as const;
  const names = ['text', 'quiet', 'action', 'error'] as const;
  it.each(schemes.flatMap((scheme) => names.map((name) => [scheme, name] as const)))(
    'of the scheme %s have a contrast of 4.5 to the page: %s',
    (scheme, name) => {
      const lights = [luminance(colours[scheme].page), luminance(colours[scheme][name])].map((light) => light + 0.05);
      expect(Math.max(...lights) / Math.min(...lights)).toBeGreaterThanOrEqual(4.5);
    },
  );
});

/** Returns every sentence of a language, by its path. */
const sentencesOf = (value: unknown, path = ''): readonly (readonly [string, string])[] => {
  if (typeof value === 'function') return sentencesOf((value as (maximum: number) => unknown)(9), path);
  if (typeof value === 'string') return value.includes(' ') ? [[path, value]] : [];
  return Object.entries(value ?? {}).flatMap(([name, inner]) => sentencesOf(inner, `${path}/${name}`));
};

describe('texts of the page', () => {
  it('have each sentence in its own language', () => {
    const sentences = languages.flatMap((language) =>
      sentencesOf([
        pageTexts[language],
        ...[true, false].map((mailsReceipts) => receiptPromise({ language, mailsReceipts })),
      ]),
    );
    const texts = sentences.map((sentence) => sentence.join(' '));
    expect(texts.filter((text, index) => texts.indexOf(text) !== index)).toEqual([]);
    expect(sentences.length).toBeGreaterThan(30 * languages.length);
  });
});
