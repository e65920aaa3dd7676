import { cancellation } from '../../../../lib/shops/platforms/woocommerce/fetch-snapshot.ts';
import { afterAll, beforeEach, describe, expect, test, vi } from 'vitest';
import { translator } from '../../../../lib/shops/platforms/woocommerce/platform.ts';
import { startContainer } from '../../../../lib/runtime/container.ts';
import { hearLines } from '../../../support/standard-output.ts';
import { fieldErrors } from '../field-errors.ts';
import { startPlatformSecret } from '../platform-secret.ts';
import { documentedOrder, startSite, withdrawalNote, withdrawn } from '../woocommerce-site.ts';

const site = await startSite();
const store = await startPlatformSecret();
const entry = {
  webhookSecrets: ['hushThisIsAWebhookSecret'],
  consumerKey: 'ck_first',
  consumerSecret: 'cs_first',
  apiUrl: site.server.origin,
};
const lines: string[] = [];
hearLines((line) => void lines.push(line));

afterAll(async () => {
  vi.useRealTimers();
  await site.server[Symbol.asyncDispose]();
  await store.close();
});
beforeEach(() => {
  vi.useRealTimers();
  startContainer();
  store.put({ shop: entry });
  site.accept('ck_first', 'cs_first');
  site.permitWrites(false);
  site.orders.clear();
  site.notes.clear();
});

const soon = () => Date.now() + 20_000;
const prepare = async () => translator.prepare({ source: 'shop', topic: 'order.updated', body: { id: 723 } }, soon());
const withdrawals = async () => {
  const prepared = await prepare();
  if (prepared.kind !== 'snapshot') throw new Error(prepared.reason);
  for (const { declaration } of prepared.withdrawals ?? [])
    expect(fieldErrors('declareWithdrawal', declaration)).toEqual([]);
  return prepared.withdrawals;
};
const put = (order: Record<string, unknown>, ...notes: readonly Record<string, unknown>[]) => {
  site.put(order);
  site.notes.set('723', notes);
};

const consumer = { name: 'John Doe', email: 'john.doe@example.com', contract: '723', platform: 'woocommerce' };
const source = { platform: 'woocommerce', externalId: 'order-723' };

describe('WooCommerce order withdrawal', () => {
  test('is a declaration for the whole order, at the time of its note', async () => {
    put(withdrawn(), withdrawalNote());
    expect(await withdrawals()).toEqual([
      { declaration: { ...consumer, declaredAt: '2017-03-22T08:30:12.000Z', source }, covers: 'whole_order' },
    ]);
  });

  test('is absent without the mark, and reads no notes then', async () => {
    put(documentedOrder(), withdrawalNote());
    const before = site.server.requests.length;
    expect(await withdrawals()).toBeUndefined();
    expect(site.server.requests.slice(before).map(({ path }) => path)).toEqual(['/wp-json/wc/v3/orders/723']);
  });

  test('for specific items has the words of the note, and no units', async () => {
    put(withdrawn(), withdrawalNote('Specific items only'));
    const note = 'Order withdrawal requested. Withdrawal type: Specific items only.';
    expect(await withdrawals()).toEqual([
      { declaration: { ...consumer, lines: note, declaredAt: '2017-03-22T08:30:12.000Z', source } },
    ]);
  });

  test('uses the oldest note, and no note to the customer', async () => {
    put(
      withdrawn(),
      withdrawalNote('The full order', { id: 290, date_created_gmt: '2017-03-23T09:00:00' }),
      withdrawalNote('Specific items only', { id: 280, date_created_gmt: '2017-03-21T09:00:00', customer_note: true }),
      withdrawalNote('The full order', { id: 285, date_created_gmt: '2017-03-22T09:00:00' }),
      { ...withdrawalNote(), id: 286, note: 'Payment received.', date_created_gmt: '2017-03-21T09:00:00' },
    );
    expect(await withdrawals()).toMatchObject([
      { declaration: { declaredAt: '2017-03-22T09:00:00.000Z' }, covers: 'whole_order' },
    ]);
  });

  test('reads the notes of a site in another language, with its language and time zone', async () => {
    const [whole, specific] = ['Widerruf: ganze Bestellung.', 'Widerruf: einzelne Artikel.'];
    const settings = { withdrawalNotes: [whole, specific], language: 'de', timeZone: 'Europe/Berlin' };
    store.put({ shop: { ...entry, ...settings, orderPlatform: 'woo2' } });
    put(withdrawn(), withdrawalNote('', { note: whole }));
    expect(await withdrawals()).toMatchObject([
      {
        declaration: { language: 'de', timeZone: 'Europe/Berlin', source: { platform: 'woo2' } },
        covers: 'whole_order',
      },
    ]);
    put(withdrawn(), withdrawalNote('', { note: specific }));
    const [partial] = (await withdrawals()) ?? [];
    expect(partial?.declaration.lines).toBe(specific);
    expect(partial).not.toHaveProperty('covers');
  });

  test.each([
    [{ withdrawalNotes: ['only one'] }, 'withdrawalNotes'],
    [{ withdrawalNotes: ['same', 'same'] }, 'withdrawalNotes'],
    [{ withdrawalNotes: ['a', 'b', 'c'] }, 'withdrawalNotes'],
    [{ language: 'tlh' }, 'language'],
  ])('rejects the settings %j', async (settings, field) => {
    store.put({ shop: { ...entry, ...settings } });
    put(withdrawn(), withdrawalNote());
    await expect(prepare()).rejects.toThrow(field);
  });

  test('with an unknown note waits for the note, then has the time of the order and no units', async () => {
    put(withdrawn(), withdrawalNote('', { note: 'Richiesta di recesso.' }));
    vi.useFakeTimers({ toFake: ['Date'], now: new Date('2017-03-22T08:30:20Z') });
    expect(await prepare()).toEqual({ kind: 'retry', reason: 'withdrawal_note_missing' });
    vi.setSystemTime(new Date('2017-03-22T08:30:27Z'));
    expect(await withdrawals()).toEqual([
      {
        declaration: {
          ...consumer,
          lines: 'The shop has recorded no lines.',
          declaredAt: '2017-03-22T08:30:11.000Z',
          source,
        },
      },
    ]);
    expect(lines.filter((line) => line.includes('withdrawal note not recognized'))).toHaveLength(1);
  });

  test('is declared without the notes when the site does not serve them, and retried while it fails', async () => {
    put(withdrawn(), withdrawalNote());
    site.failNotes({ status: 404, body: '{"code":"rest_no_route"}' });
    expect(await withdrawals()).toMatchObject([{ declaration: { declaredAt: '2017-03-22T08:30:11.000Z', source } }]);
    site.failNotes({ status: 403, body: '{}' });
    expect(await prepare()).toEqual({ kind: 'retry', reason: 'shop_status_403' });
  });

  test('is never later than the request, whatever the clock of the site', async () => {
    put(withdrawn(), withdrawalNote('The full order', { date_created_gmt: '2999-01-01T00:00:00' }));
    const [found] = (await withdrawals()) ?? [];
    expect(Date.parse(found?.declaration.declaredAt ?? '')).toBeLessThanOrEqual(Date.now());
  });

  test.each([
    [{ first_name: '', last_name: '', company: 'ACME', email: 'a@example.com' }, 'ACME'],
    [{ first_name: ' ', email: 'a@example.com' }, 'a@example.com'],
    [{ first_name: 'Ada', email: 'a@example.com' }, 'Ada'],
  ])('has the name of %j', async (billing, name) => {
    put(withdrawn({ billing }), withdrawalNote());
    expect(await withdrawals()).toMatchObject([{ declaration: { name, email: 'a@example.com' } }]);
  });

  test('is left out when the order no longer has an address', async () => {
    put(withdrawn({ billing: {} }), withdrawalNote());
    expect(await withdrawals()).toBeUndefined();
  });
});

describe('WooCommerce cancellation', () => {
  const fetchState = async () => cancellation.fetchState('shop', '723', soon());
  const cancel = async () => cancellation.cancel('shop', '723', soon());
  const writes = () => site.server.requests.filter(({ method }) => method === 'PUT');

  test('sets the status, once, and shows it afterwards', async () => {
    site.permitWrites(true);
    put(withdrawn());
    expect(await fetchState()).toMatchObject({
      ok: true,
      value: {
        isCancelled: false,
        snapshot: { order: { lines: [{ fulfilledQuantity: 0 }, { fulfilledQuantity: 0 }] } },
      },
    });
    const before = writes().length;
    expect(await cancel()).toEqual({ ok: true, value: undefined });
    expect(writes().slice(before)).toMatchObject([
      {
        path: '/wp-json/wc/v3/orders/723',
        body: '{"status":"cancelled"}',
        headers: { 'content-type': 'application/json' },
      },
    ]);
    expect(await fetchState()).toMatchObject({ ok: true, value: { isCancelled: true } });
  });

  test('of a key without write permission is retried later', async () => {
    put(withdrawn());
    expect(await cancel()).toEqual({ ok: false, failure: { kind: 'retryable', reason: 'shop_status_401' } });
  });

  test.each([
    [{ status: 500, body: '' }, 'shop_status_500'],
    [{ status: 200, body: 'not JSON' }, 'shop_reply_unreadable'],
  ])('is not repeated after %j, because it may have had an effect', async (answer, reason) => {
    site.permitWrites(true);
    put(withdrawn());
    const before = site.server.requests.length;
    site.fail(answer);
    expect(await cancel()).toEqual({ ok: false, failure: { kind: 'retryable', reason, mayHaveEffect: true } });
    expect(site.server.requests.length - before).toBe(1);
  });

  test('is repeated after 429, because the site has not processed it', async () => {
    site.permitWrites(true);
    put(withdrawn());
    site.fail({ status: 429, headers: { 'retry-after': '0' }, body: '' });
    expect(await cancel()).toEqual({ ok: true, value: undefined });
  });

  test('finds no order that is not placed, or does not exist', async () => {
    put(documentedOrder({ status: 'checkout-draft' }));
    expect(await fetchState()).toMatchObject({ failure: { reason: 'order_not_placed' } });
    site.orders.clear();
    expect(await fetchState()).toMatchObject({ failure: { kind: 'permanent', reason: 'shop_status_404' } });
  });
});
