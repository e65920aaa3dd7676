import { afterAll, beforeEach, vi } from 'vitest';
import type { EffectAction } from '../../../../lib/domain/write-back/actions.ts';
import { startContainer } from '../../../../lib/runtime/container.ts';
import type { Effect, Wanted, WantedLine } from '../../../../lib/shops/platforms/effect.ts';
import { platformEffects } from '../../../../lib/shops/platforms/effects.ts';
import type { WireFault } from '../../../../lib/tools/local/shops/faults.ts';
import { startShopServer } from '../../../../lib/tools/local/shops/shop-server.ts';
import type { Json, RefundFault } from '../../../../lib/tools/local/shops/woocommerce/refunds.ts';
import { openSite } from '../../../../lib/tools/local/shops/woocommerce/site.ts';
import { startPlatformSecret } from '../platform-secret.ts';
import { documentedOrder } from '../woocommerce-site.ts';
import { drive, type Outcome, startClock } from './drive-intent.ts';
import { keyOf, wanted, wantedLine, wantedRefund, wantedReturn } from './wanted.ts';

/** An order of 3 units at 10.00 + 1.90, 1 unit at 5.00 + 0.35 and shipping of 4.00 + 0.76: 45.81 in all. */
export const woocommerceOrder = (id: number, changes: Json = {}): Json =>
  documentedOrder({
    id,
    status: 'processing',
    date_completed_gmt: null,
    date_paid_gmt: '2026-11-01T00:00:00',
    total: '45.81',
    total_tax: '6.81',
    line_items: [
      {
        id: 311,
        quantity: 3,
        subtotal: '30.00',
        subtotal_tax: '5.70',
        total: '30.00',
        total_tax: '5.70',
        taxes: [
          { id: 1, total: '5.70' },
          { id: 2, total: '' },
        ],
        meta_data: [],
      },
      {
        id: 313,
        quantity: 1,
        subtotal: '5.00',
        subtotal_tax: '0.35',
        total: '5.00',
        total_tax: '0.35',
        taxes: [{ id: 2, total: '0.35' }],
        meta_data: [],
      },
    ],
    shipping_lines: [{ id: 312, total: '4.00', total_tax: '0.76', taxes: [{ id: 1, total: '0.76' }] }],
    ...changes,
  });

/** What a fault must lead to: the payments by the gateway, and the outcome. */
export const wireCases: readonly (readonly [WireFault, number, string])[] = [
  ['answer_lost', 1, 'confirmed'],
  ['silent', 1, 'confirmed'],
  [{ status: 400, carriedOut: true }, 1, 'confirmed'],
  [{ status: 500, carriedOut: true }, 1, 'confirmed'],
  [{ status: 503, carriedOut: true }, 1, 'confirmed'],
  ['late', 1, 'confirmed'],
  [{ status: 429, carriedOut: false }, 1, 'confirmed'],
  [{ status: 403, carriedOut: false }, 1, 'confirmed'],
  [{ status: 400, carriedOut: false }, 0, 'shop_status_400'],
  // It may still be on its way, for all that WooCommerce shows.
  ['cut_before', 0, 'effect_unknown'],
  [{ status: 500, carriedOut: false }, 0, 'effect_unknown'],
];
export const siteCases: readonly (readonly [RefundFault, number, string])[] = [
  ['metadata_lost', 1, 'confirmed'],
  ['second_refund', 1, 'confirmed'],
  ['hook_threw', 1, 'effect_unknown'],
  ['gateway_rejected', 0, 'effect_unknown'],
  ['died_after_payment', 1, 'refund_unpaid'],
];

const restocked: WantedLine['found'] = [{ outcome: 'accept', disposition: 'restock', quantity: 1 }];

/** Starts a WooCommerce site `shop` with the order 723, for each test again. */
export const openWooCommerce = async () => {
  const authorization = `Basic ${Buffer.from('ck_first:cs_first').toString('base64')}`;
  let mayWrite = true;
  const site = openSite({ clock: () => Date.now(), authorization: () => authorization, mayWrite: () => mayWrite });
  const server = await startShopServer({ port: 0, answer: site.answer });
  const store = await startPlatformSecret();

  afterAll(async () => {
    vi.useRealTimers();
    await server.close();
    await store.close();
  });
  beforeEach(() => {
    startClock('2026-11-29T12:00:00Z');
    startContainer();
    store.put({
      shop: {
        webhookSecrets: ['hushThisIsAWebhookSecret'],
        consumerKey: 'ck_first',
        consumerSecret: 'cs_first',
        apiUrl: server.url,
      },
    });
    mayWrite = true;
    server.faults.clear();
    site.put(woocommerceOrder(723));
    site.notes.clear();
  });

  const effectOf = (action: EffectAction): Effect => {
    const effect = platformEffects['woocommerce']?.[action];
    if (effect === undefined) throw new Error(`there is no ${action}`);
    return effect;
  };
  const run = (intent: Wanted, options?: Parameters<typeof drive>[3]): Promise<Outcome> =>
    drive(effectOf(intent.action), 'shop', intent, options);
  const ofLines = [wantedLine('311', { received: 1, found: restocked })];

  /** An intent to refund one unit of line 311, or other parts. */
  const refundIntent = (
    number = 1,
    lines: Parameters<typeof wantedRefund>[1] = [{ orderLineId: '311', quantity: 1, gross: 1190 }],
    more: Parameters<typeof wantedRefund>[2] & { readonly orderId?: string } = {},
  ): Wanted =>
    wanted('refund', more.orderId ?? '723', {
      number,
      return: wantedReturn(ofLines),
      refund: wantedRefund('USD', lines, more),
    });
  const writes = () => server.requests.filter(({ method }) => method !== 'GET');
  const bodyOfLast = (): Json => JSON.parse(writes().at(-1)?.body ?? '{}') as Json;
  /** The payments of the gateway for an intent. */
  const paidFor = (number: number) => site.payments.filter(({ reason }) => reason.includes(`[${keyOf(number)}]`));
  const next = (() => {
    let last = 1_000;
    return () => (last += 1);
  })();

  return {
    site,
    server,
    effectOf,
    run,
    refundIntent,
    writes,
    bodyOfLast,
    paidFor,
    next,
    notesOf: () => (site.notes.get('723') ?? []).map(({ note }) => String(note)),
    /** Whether the key may write. */
    permitWrites: (isPermitted: boolean) => void (mayWrite = isPermitted),
  };
};
