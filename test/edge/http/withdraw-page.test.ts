import { createHash, randomUUID } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import type { Output } from '../../../lib/contract/contract.ts';
import { api } from '../../support/api.ts';
import { orderPath, shopOrder } from '../../support/scenario.ts';
import { modes, type Mode } from '../../../lib/tools/template/functions/function-row.ts';
import { webUrl } from '../../support/users.ts';
import { hiddenFields, textOf } from '../withdraw-page/markup.ts';

type Fields = Readonly<Record<string, string>>;

/** Opens the page of a mode, and posts forms as a browser does. */
const visit = (mode: Mode, query = '?lang=en') => {
  const address = `${webUrl(mode)}/withdraw${query}`;
  const post = async (fields: Fields | string) => {
    const body = typeof fields === 'string' ? fields : new URLSearchParams(fields).toString();
    const headers = { 'content-type': 'application/x-www-form-urlencoded' };
    const response = await fetch(address, { method: 'POST', headers, body });
    const { status, url, redirected } = response;
    return { status, url, redirected, headers: response.headers, text: await response.text() };
  };
  const review = async (entries: Fields) => post({ step: 'review', ...entries });
  const declare = async (entries: Fields) => {
    const key = hiddenFields((await review(entries)).text);
    return { key, answer: await post({ ...key, step: 'confirm' }) };
  };
  return { post, review, declare };
};

/** Texts that no other test enters. */
const entered = (changes: Fields = {}): Fields => {
  const own = randomUUID();
  return { name: `Ada ${own}`, contract: `#${own}`, email: `ada-${own}@example.com`, lines: '', ...changes };
};

const numberIn = (page: string): string => /wdr_[0-9A-Z]{26}/.exec(page)?.[0] ?? '';

describe.each(modes)('page for withdrawals of the %s mode', (mode) => {
  const page = visit(mode);

  it('shows the form in the language of the browser, without a cookie', async () => {
    const response = await fetch(`${webUrl(mode)}/withdraw`, { headers: { 'accept-language': 'de-AT' } });
    expect(response.status).toBe(200);
    expect(Object.fromEntries(response.headers)).toMatchObject({
      'content-type': 'text/html; charset=utf-8',
      'content-language': 'de',
      'cache-control': 'no-store',
      'content-security-policy': expect.stringContaining("default-src 'none'; style-src 'sha256-"),
      'referrer-policy': 'no-referrer',
    });
    expect(response.headers.has('set-cookie')).toBe(false);
    expect(await response.text()).toContain('<h1>Vertrag widerrufen</h1>');
  });

  it('asks again for missing texts, and keeps the others', async () => {
    const answer = await page.review({ name: 'Ada', contract: '', email: 'ada', lines: '' });
    expect(answer.status).toBe(422);
    expect(answer.text).toContain('aria-describedby="contract-hint contract-error"');
    expect(answer.text).toContain('value="Ada"');
  });

  it('asks once about an address without a dot, and then takes it', async () => {
    const entries = entered({ email: `zoe-${randomUUID()}@exemplo` });
    const asked = await page.review(entries);
    expect([asked.status, textOf(asked.text).includes('Is this address complete?')]).toEqual([422, true]);
    const kept = { ...entries, ...hiddenFields(asked.text) };
    const changed = await page.post({ ...hiddenFields((await page.review(kept)).text), step: 'edit' });
    expect(changed.status).toBe(200);
    const { answer } = await page.declare({ ...entries, ...hiddenFields(changed.text) });
    expect([answer.status, numberIn(answer.text) !== '']).toEqual([200, true]);
  });

  it('declares after the check, and shows the receipt', async () => {
    const entries = entered({ lines: 'two shirts\r\none hat' });
    const review = await page.review(entries);
    expect(review.status).toBe(200);
    const text = textOf(review.text);
    for (const part of [entries['name'], entries['contract'], 'two shirts', 'I hereby give notice'])
      expect(text).toContain(part);
    const answer = await page.post({ ...hiddenFields(review.text), step: 'confirm' });
    expect([answer.status, answer.redirected]).toEqual([200, true]);
    const withdrawalId = numberIn(answer.text);
    const stored = (await api('standalone').get(`/withdrawals/${withdrawalId}`))
      .body as unknown as Output<'getWithdrawal'>;
    expect(stored).toMatchObject({
      status: 'declared',
      language: 'en',
      timeZone: 'Europe/Berlin',
      declaration: { name: entries['name'], email: entries['email'], lines: 'two shirts\none hat' },
      receipt: { status: 'due' },
    });
    const time = new Date(stored.declaredAt).toLocaleTimeString('en-GB', { timeZone: 'Europe/Berlin' });
    expect(textOf(answer.text)).toContain(`, ${time} (UTC+01:00, Europe/Berlin)`);
  });

  it('says that it knows an equal declaration, and shows its receipt', async () => {
    const entries = entered();
    const first = await page.declare(entries);
    const again = await page.declare(entries);
    expect(numberIn(again.answer.text)).toBe(numberIn(first.answer.text));
    expect([first, again].map(({ answer }) => textOf(answer.text).includes('You had declared this before.'))).toEqual([
      false,
      true,
    ]);
  });

  it('downloads the signed receipt and its text', async () => {
    const { answer } = await page.declare(entered());
    const withdrawalId = numberIn(answer.text);
    const jws = await page.post({ ...hiddenFields(answer.text), format: 'jws' });
    expect(jws.status).toBe(200);
    expect(jws.headers.get('content-type')).toBe('application/jose');
    expect(jws.headers.get('content-disposition')).toBe(`attachment; filename="${withdrawalId}.jws"`);
    expect(answer.text).toContain(createHash('sha256').update(jws.text).digest('hex'));
    const text = await page.post({ ...hiddenFields(answer.text), format: 'text' });
    expect(text.headers.get('content-type')).toBe('text/plain; charset=utf-8');
    expect(text.text).toContain(jws.text);
    expect(text.text).toContain(withdrawalId);
  });

  it('rejects a download with a reference that it did not sign', async () => {
    const { key } = await page.declare(entered());
    for (const receipt of ['x', key['key'] ?? ''])
      expect(await page.post({ step: 'download', receipt, format: 'jws' })).toMatchObject({ status: 404 });
  });

  it('redirects a confirmation to an address without an id or a text, which shows the receipt again and again', async () => {
    const entries = entered();
    const { answer } = await page.declare(entries);
    const { searchParams, hash, pathname } = new URL(answer.url);
    expect([pathname, [...searchParams.keys()], searchParams.get('lang'), hash]).toEqual([
      '/withdraw',
      ['lang', 'receipt'],
      'en',
      '',
    ]);
    const reference = searchParams.get('receipt') ?? '';
    const readable = [
      answer.url,
      ...['latin1', 'utf8'].map((one) => Buffer.from(reference, 'base64url').toString(one as 'utf8')),
    ];
    for (const part of ['wdr_', numberIn(answer.text), ...Object.values(entries)].filter((one) => one !== ''))
      expect([part, readable.filter((text) => text.includes(part))]).toEqual([part, []]);
    for (const language of ['en', 'de']) {
      const again = await fetch(answer.url.replace('lang=en', `lang=${language}`));
      expect([again.status, numberIn(await again.text())]).toEqual([200, numberIn(answer.text)]);
    }
  });

  it('shows no receipt for a changed reference, and says what to do', async () => {
    const { answer } = await page.declare(entered());
    const reference = new URL(answer.url).searchParams.get('receipt') ?? '';
    const middle = Math.floor(reference.length / 2);
    const other = reference[middle] === 'A' ? 'B' : 'A';
    for (const forged of [
      `${reference.slice(0, middle)}${other}${reference.slice(middle + 1)}`,
      `${reference}A`,
      '',
      'x',
      'wdr_1',
    ]) {
      const response = await fetch(`${webUrl(mode)}/withdraw?lang=en&receipt=${forged}`);
      const text = await response.text();
      expect([response.status, numberIn(text), textOf(text).includes('If you confirmed a withdrawal')]).toEqual([
        404,
        '',
        true,
      ]);
    }
  });

  it('gives the first receipt to a repeated confirmation, also at the same time', async () => {
    const key = { ...hiddenFields((await page.review(entered())).text), step: 'confirm' };
    const answers = await Promise.all([page.post(key), page.post(key)]);
    const again = await page.post(key);
    const numbers = new Set([...answers, again].map(({ text }) => numberIn(text)));
    expect([...answers, again].map(({ status }) => status)).toEqual([200, 200, 200]);
    expect([numbers.size, numbers.has('')]).toEqual([1, false]);
  });

  it('gives the first receipt to the same texts after another check', async () => {
    const entries = entered();
    const first = await page.declare(entries);
    const second = await page.declare({ ...entries, name: ` ${entries['name']?.toUpperCase()}` });
    expect(numberIn(second.answer.text)).toBe(numberIn(first.answer.text));
    expect(textOf(second.answer.text)).toContain(entries['name']);
  });

  it('stores nothing for texts that differ from the checked ones, and asks for another check', async () => {
    const entries = entered();
    const key = hiddenFields((await page.review(entries)).text);
    const other = `#${randomUUID()}`;
    for (const changed of [
      { ...key, contract: other },
      { ...key, key: 'forged.key' },
      { ...key, key: 'x' },
    ]) {
      const answer = await page.post({ ...changed, step: 'confirm' });
      expect(answer.status).toBe(422);
      expect(textOf(answer.text)).toContain('Nothing has been sent yet');
      expect(numberIn(answer.text)).toBe('');
      expect(hiddenFields(answer.text)['key']).not.toBe(key['key']);
    }
    const switched = await visit(mode, '?lang=fr').post({ ...key, step: 'confirm' });
    expect([switched.status, numberIn(switched.text)]).toEqual([422, '']);
  });

  it('answers the same to the byte for a known and an unknown order', async () => {
    const order = { platform: 'web', orderId: randomUUID() };
    await api('standalone').put(orderPath(order), shopOrder(), { headers: { 'if-none-match': '*' } });
    const answers = await Promise.all(
      [order.orderId, randomUUID()].map(async (contract) => {
        const { key, answer } = await page.declare({ ...entered(), contract });
        const own = [contract, key['name'] ?? '', key['email'] ?? '', numberIn(answer.text)];
        const masked = own.reduce((text, part) => text.replaceAll(part, '·'), answer.text);
        return masked
          .replaceAll(/\d\d:\d\d:\d\d/g, '·')
          .replaceAll(/[0-9a-f]{64}/g, '·')
          .replace(/(name="receipt" value=)"[^"]+"/, '$1"·"')
          .replaceAll(/(&amp;receipt=)[\w-]+/g, '$1·');
      }),
    );
    expect(answers[0]).toBe(answers[1]);
  });

  it.each([
    ['an unknown field', 'step=review&reason=none', 400, 'a field that this page does not know'],
    ['a field twice', 'step=review&name=a&name=b', 400, 'a field twice'],
    ['a broken form', 'step=review&name=%zz', 400, 'incomplete or damaged'],
    ['a large form', `step=review&lines=${'x'.repeat(20_000)}`, 413, 'too large'],
  ])('rejects %s without repeating it', async (_, body, status, text) => {
    const answer = await page.post(body);
    expect([answer.status, textOf(answer.text).includes(text)]).toEqual([status, true]);
    expect(answer.text).not.toMatch(/%zz|xxxx|value="none"/);
  });

  it('rejects another media type', async () => {
    const response = await fetch(`${webUrl(mode)}/withdraw`, {
      method: 'POST',
      body: '{}',
      headers: { 'content-type': 'application/json' },
    });
    expect(response.status).toBe(415);
  });

  it('keeps the texts when the consumer changes them or the language', async () => {
    const entries = entered();
    const edited = await visit(mode, '?lang=pt').post({ step: 'edit', ...entries });
    expect(edited.text).toContain(`value="${entries['name']}"`);
    expect(edited.text).toContain('<h1>Retrate-se do contrato aqui</h1>');
  });
});
