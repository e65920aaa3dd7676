import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import type { EffectAction } from '../../lib/domain/write-back/actions.ts';
import { startContainer } from '../../lib/runtime/container.ts';
import type { Wanted, WantedLine } from '../../lib/shops/platforms/effect.ts';
import { platformEffects } from '../../lib/shops/platforms/effects.ts';
import { drive, startClock, wordOf } from '../shops/platforms/effects/drive-intent.ts';
import { wanted, wantedLine, wantedRefund, wantedReturn } from '../shops/platforms/effects/wanted.ts';
import { startPlatformSecret } from '../shops/platforms/platform-secret.ts';
import { seeded } from '../support/seeded.ts';
import { startCutting } from './medusa/cut-answers.ts';
import { startMedusa } from './medusa/server.ts';
import { openShop, type Shop } from './medusa/shop.ts';

/* Lives of returns that are written to a real Medusa on PostgreSQL, while connections break before the answers. */

const lives = Number(process.env['LIVES'] ?? 200);
const seed = Number(process.env['SEED'] ?? Date.now() % 2 ** 31);
const random = seeded(seed);
const opened = new AsyncDisposableStack();
let shop: Shop;
let proxy: Awaited<ReturnType<typeof startCutting>>;
let url = '';
let lastKey = seed * 1_000;

// An installation takes up to ten minutes, and migrations up to four.
beforeAll(async () => {
  const medusa = await startMedusa();
  opened.defer(medusa.close);
  url = medusa.url;
  shop = await openShop(medusa);
  proxy = await startCutting(medusa.url);
  opened.defer(proxy.close);
  const store = await startPlatformSecret();
  opened.defer(store.close);
  startContainer();
  store.put({ nordic: { webhookSecrets: ['x'], secretApiKey: shop.apiKey, apiUrl: proxy.url } });
}, 1_800_000);

afterAll(async () => {
  vi.useRealTimers();
  await opened.disposeAsync();
});

const call = async <Answer>(method: string, path: string, body?: object): Promise<Answer> => {
  const authorization = `Basic ${Buffer.from(`${shop.apiKey}:`).toString('base64')}`;
  const response = await fetch(`${url}/admin/${path}`, {
    method,
    headers: { authorization, 'content-type': 'application/json' },
    ...(body !== undefined && { body: JSON.stringify(body) }),
  });
  expect(response.status).toBe(200);
  return (await response.json()) as Answer;
};

/** Places an order of 2 and 3 lamps at 19.99 with shipping of 4.90, and pays it. */
const placePaidOrder = async () => {
  const { id } = await shop.placeOrder();
  const { order } = await call<{ order: { items: { id: string; quantity: number }[] } }>(
    'GET',
    `orders/${id}?fields=items.*,items.detail.*`,
  );
  const { payment_collection: collection } = await call<{ payment_collection: { id: string } }>(
    'POST',
    'payment-collections',
    { order_id: id, amount: 104.85 },
  );
  await call('POST', `payment-collections/${collection.id}/mark-as-paid`, { order_id: id });
  return { id, items: order.items };
};

const steps: Readonly<Partial<Record<EffectAction, readonly RegExp[]>>> = {
  approve: [/^POST \/admin\/returns$/, /\/request-items$/, /^POST .*\/request$/],
  inspect: [/\/receive$/, /\/(receive|dismiss)-items$/, /\/receive\/confirm$/],
  refund: [/\/refund$/],
};

const pick = <Item>(items: readonly Item[]): Item | undefined => items[Math.floor(random() * items.length)];

/** Runs an intent twice, and the first time with a lost answer in most cases. */
const run = async (intent: Wanted): Promise<string> => {
  const effect = platformEffects['medusa']?.[intent.action];
  if (effect === undefined) throw new Error(`there is no ${intent.action}`);
  const cut = random() < 0.7 ? pick(steps[intent.action] ?? []) : undefined;
  if (cut !== undefined) proxy.cutNext(cut);
  const first = await drive(effect, 'nordic', intent);
  proxy.cutNext(/^never$/);
  expect(await drive(effect, 'nordic', intent)).toEqual(first);
  if (first.kind !== 'confirmed') throw new Error(wordOf(first));
  return first.externalId ?? '';
};

type Read = {
  readonly order: {
    readonly summary: { readonly pending_difference: number };
    readonly payment_collections: { readonly payments: { readonly refunds: { id: string; amount: number }[] }[] }[];
  };
};

const live = async (): Promise<void> => {
  // The waits of a life move our clock. Medusa's stays.
  vi.useRealTimers();
  startClock(new Date().toISOString());
  const { id, items } = await placePaidOrder();
  const since = new Date(Date.now() - 60_000).toISOString();
  const lines = items.map(({ id: line, quantity }): WantedLine => {
    const units = 1 + Math.floor(random() * quantity);
    const damaged = Math.floor(random() * (units + 1));
    const found = [
      { outcome: 'accept', disposition: 'restock', quantity: units - damaged } as const,
      { outcome: 'accept', disposition: 'quarantine', quantity: damaged } as const,
    ];
    return wantedLine(line, { quantity: units, received: units, found: found.filter((one) => one.quantity > 0) });
  });
  const intent = (action: EffectAction, externalId?: string): Wanted =>
    wanted(action, id, {
      number: (lastKey += 1) % 1e12,
      return: wantedReturn(lines, { requestedAt: since, ...(externalId !== undefined && { externalId }) }),
    });
  const returnId = await run(intent('approve'));
  await run(intent('inspect', returnId));
  const parts = lines.map(({ orderLineId, quantity }) => ({ orderLineId, quantity, gross: 1999 * quantity }));
  const refund = wantedRefund('EUR', parts, { shipping: random() < 0.5 ? 490 : 0 });
  const refundId = await run({ ...intent('refund', returnId), refund });

  const units = lines.reduce((sum, { quantity }) => sum + quantity, 0);
  const { returns, requested } = await shop.effectsOn(id);
  expect({ returns, requested }).toEqual({ returns: [{ status: 'received', units, received: units }], requested: 0 });
  const fields = 'summary,payment_collections.payments.refunds.*';
  const { order } = await call<Read>('GET', `orders/${id}?fields=${fields}`);
  const refunds = order.payment_collections.flatMap(({ payments }) => payments.flatMap((payment) => payment.refunds));
  expect(refunds).toMatchObject([{ id: refundId, amount: refund.amount.amount / 100 }]);
  expect(order.summary.pending_difference).toBe(0);
};

describe('write-back to a real Medusa', () => {
  it(`has one return, one receipt and one refund of each of ${lives} lives, seed ${seed}`, async () => {
    for (let life = 0; life < lives; life += 1) await live();
    expect.hasAssertions();
  });
});
