import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { api } from '../../support/api.ts';
import { auto, hat, ofCustomer, returned, shop, window } from '../../support/decided-shop.ts';
import { startOwnStack, type OwnStack } from '../../support/own-stack.ts';
import { createReturn } from '../../support/scenario.ts';

let stack: OwnStack;
beforeAll(async () => {
  stack = await startOwnStack({ streams: true, modes: ['standalone'], writeBack: 'shopify' });
});
afterAll(async () => stack.close());

/** Repeats a check until it holds: the stream reports changes later. */
const eventually = async (check: () => Promise<void>) => vi.waitFor(check, { timeout: 120_000, interval: 200 });

describe('intents on the stream', () => {
  it('reach the worker at once, and their events do not hold up those of returns', async () => {
    const service = api('standalone', stack.info);
    const none = { headers: { 'if-none-match': '*' } };
    const set = await service.put('/write-back/shops/shopify', { actions: { approve: 'on', reject: 'on' } }, none);
    expect(set).toMatchObject({ status: 201 });
    const first = await createReturn(service);
    await service.post(`/returns/${first.id}/approve`, {});
    // The shop does not have the order. People decide.
    await eventually(async () => {
      const { body } = await service.get(`/write-back/intents?returnId=${first.id}`);
      expect(body).toMatchObject({ items: [{ action: 'approve', status: 'parked', reason: 'shop_order_not_found' }] });
    });
    const second = await createReturn(service);
    await eventually(async () => {
      const { body } = await service.get('/events');
      const { items } = body as unknown as {
        readonly items: readonly { readonly type: string; readonly subject: string }[];
      };
      expect(items.map(({ type }) => type.slice(type.indexOf('returns.') + 'returns.'.length))).toEqual(
        expect.arrayContaining([expect.stringContaining('write_back.parked')]),
      );
      expect(items.map(({ subject }) => subject)).toContain(second.id);
    });
  });

  it('leave no trace at a shop whose action is off', async () => {
    const service = api('standalone', stack.info);
    const { id } = await createReturn(service);
    expect(await service.post(`/returns/${id}/cancel`)).toMatchObject({ status: 200 });
    await eventually(async () => {
      const { body } = await service.get(`/write-back/intents?returnId=${id}`);
      expect(body).toMatchObject({ items: [] });
    });
  });

  it('follow an approval by new facts of the order', async () => {
    const service = api('standalone', stack.info);
    const { publish, order, reportFacts } = shop(service);
    await publish([window(30), auto]);
    const ref = await order({ hat: { deliveries: undefined } });
    const { returnId, status } = returned(await service.post('/returns', ofCustomer(ref, [hat])));
    expect(status).toBe('requested');
    expect(await reportFacts(ref, {})).toMatchObject({ status: 200 });
    const list = await service.get(`/write-back/intents?returnId=${returnId}`);
    expect(list.body).toMatchObject({ items: [{ action: 'approve' }] });
  });
});
