import { afterAll, beforeEach, vi } from 'vitest';
import type { EffectAction } from '../../../../lib/domain/write-back/actions.ts';
import { startContainer } from '../../../../lib/runtime/container.ts';
import type { Effect, Wanted, WantedLine, WantedReturn } from '../../../../lib/shops/platforms/effect.ts';
import { platformEffects } from '../../../../lib/shops/platforms/effects.ts';
import type { Node } from '../../../../lib/tools/local/shops/medusa/order-changes.ts';
import { openMedusaShop } from '../../../../lib/tools/local/shops/medusa/shop.ts';
import { startShopServer } from '../../../../lib/tools/local/shops/shop-server.ts';
import { orderId, orderNode, paymentNode } from '../medusa-shop.ts';
import { startPlatformSecret } from '../platform-secret.ts';
import { drive, type Outcome, startClock, wordOf } from './drive-intent.ts';
import { wanted, wantedLine, wantedRefund, wantedReturn } from './wanted.ts';

export const [shirt, mug] = ['ordli_shirt', 'ordli_mug'] as const;
export const paymentId = 'pay_1';

const item = (id: string, price: number, quantity: number): Node => ({
  id,
  unit_price: price,
  quantity,
  is_tax_inclusive: true,
  tax_lines: [{ rate: 19 }],
  adjustments: [],
  detail: { fulfilled_quantity: quantity },
});

/** An order of 3 shirts at 19.90 and 2 mugs at 5.50, with shipping of 5.00: 75.70, which one payment has paid. */
export const medusaOrder = (): Node =>
  orderNode({
    items: [item(shirt, 19.9, 3), item(mug, 5.5, 2)],
    summary: { pending_difference: 0 },
    fulfillments: [{ id: 'ful_1', location_id: 'sloc_1', canceled_at: null, items: [] }],
    payment_collections: [
      { payments: [paymentNode({ id: paymentId, amount: 75.7, captures: [{ id: 'capt_1', amount: 75.7 }] })] },
    ],
    transactions: [],
  });

export const reasons: readonly Node[] = [
  { id: 'rr_group', value: 'too-small', label: 'Too small', return_reason_children: [{ id: 'rr_1' }] },
  { id: 'rr_small', value: 'too_small', label: 'Too small', return_reason_children: [] },
];

export const accepted = (quantity: number, disposition: 'restock' | 'quarantine' = 'restock') =>
  ({ outcome: 'accept', disposition, quantity }) as const;

/** Starts a Medusa shop `nordic` with one order, for each test again. */
export const openMedusaCase = async () => {
  const apiKey = 'sk_0123456789abcdef';
  const shop = openMedusaShop({ clock: () => Date.now(), apiKey: () => apiKey });
  const server = await startShopServer({ port: 0, answer: shop.answer });
  const store = await startPlatformSecret();
  let last = 2_000;

  afterAll(async () => {
    vi.useRealTimers();
    await server.close();
    await store.close();
  });

  /** Puts the shop back to one order without returns. */
  const reset = () => {
    server.faults.clear();
    shop.hold({ orders: [medusaOrder()], reasons: [...reasons] });
  };

  beforeEach(() => {
    startClock('2026-11-29T12:00:00Z');
    startContainer();
    store.put({ nordic: { webhookSecrets: ['x'], secretApiKey: apiKey, apiUrl: server.url } });
    reset();
  });

  const next = () => (last += 1);
  const effectOf = (action: EffectAction): Effect => {
    const effect = platformEffects['medusa']?.[action];
    if (effect === undefined) throw new Error(`there is no ${action}`);
    return effect;
  };
  const run = (intent: Wanted, options?: Parameters<typeof drive>[3]): Promise<Outcome> =>
    drive(effectOf(intent.action), 'nordic', intent, options);

  /** An intent for a return of these lines. */
  const intent = (action: EffectAction, lines: readonly WantedLine[], changes: Partial<WantedReturn> = {}): Wanted =>
    wanted(action, orderId, { number: next(), return: wantedReturn(lines, changes) });

  /** Approves a return of shirts, and returns its id at the shop. */
  const approved = async (quantity = 2): Promise<string> => {
    const outcome = await run(intent('approve', [wantedLine(shirt, { quantity })]));
    if (outcome.kind !== 'confirmed' || outcome.externalId === undefined) throw new Error(wordOf(outcome));
    return outcome.externalId;
  };
  const inspection = (externalId: string, found: WantedLine['found'], quantity = 2): Wanted =>
    intent('inspect', [wantedLine(shirt, { quantity, received: quantity, found })], { externalId });

  const refundIntent = (
    lines: Parameters<typeof wantedRefund>[1] = [{ orderLineId: shirt, quantity: 1, gross: 1990 }],
    more: Parameters<typeof wantedRefund>[2] = {},
  ): Wanted => ({ ...intent('refund', []), refund: wantedRefund('EUR', lines, more) });

  /** Receives shirts, so that the order owes their price. */
  const received = async (quantity = 2): Promise<string> => {
    const externalId = await approved(quantity);
    await run(inspection(externalId, [accepted(quantity)], quantity));
    return externalId;
  };

  return {
    shop,
    server,
    reset,
    effectOf,
    run,
    intent,
    approved,
    inspection,
    received,
    refundIntent,
    /** The only order. */
    order: (): Node => shop.shelf.orders[0] ?? {},
    /** The returns that are no draft. */
    returns: (): readonly Node[] => shop.shelf.returns.filter(({ status }) => status !== 'open'),
    openChanges: () => shop.shelf.changes.filter(({ status }) => status === 'pending'),
    paidFor: ({ key }: Wanted) => shop.paid.filter(({ note }) => note.includes(`[${key}]`)),
    /** Returns the last request that changes the shop, with its body. */
    lastWrite: () => {
      const { path = '', body = '' } = server.requests.findLast(({ method }) => method !== 'GET') ?? {};
      return { path, body };
    },
    writeCount: () => server.requests.filter(({ method }) => method !== 'GET').length,
  };
};
