import { InvokeCommand } from '@aws-sdk/client-lambda';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { StackEvent } from '../../lib/tools/local/events.ts';
import { api } from '../support/api.ts';
import { functionName, lambda, lambdaClient } from '../support/lambda.ts';
import { startOwnStack, type OwnStack } from '../support/own-stack.ts';
import { modes, type Mode } from '../../lib/tools/template/functions/function-row.ts';
import { hooksOf } from './support.ts';

let stack: OwnStack;
beforeAll(async () => {
  stack = await startOwnStack();
});
afterAll(async () => stack.close());

const list = async (mode: Mode, query: string) => {
  const { body } = await api(mode, stack.info).get(`/inbox/deliveries?${query}`);
  return (body as unknown as { items: { deliveryId: string; status: string; orderId?: string }[] }).items;
};

const isRun = (mode: Mode) => (event: StackEvent) =>
  event.type === 'invoked' && event.source === mode && event.function === 'reconcilePlatforms';

/** Returns the message of a failed run. It is no problem document as operations return. */
const invokeRaw = async (mode: Mode): Promise<unknown> => {
  const { Payload } = await lambdaClient(mode, stack.info).send(
    new InvokeCommand({ FunctionName: functionName('reconcilePlatforms'), Payload: '{}' }),
  );
  return JSON.parse(Payload?.transformToString() ?? '');
};

/** Returns the return of a shop's return, once a delivery of that id is settled. */
const synced = async (mode: Mode, deliveryId: string) => {
  const [row = {}] = await hooksOf(stack, mode).settled(deliveryId);
  expect(row).toMatchObject({ status: 'done' });
  return (await api(mode, stack.info).get(`/returns/${String(row['returnId'])}`)).body;
};

describe.each(modes)('reconciliation in the %s mode', (mode) => {
  const orderIds = () => {
    const all = stack.info.webhooks.shopify.orderIds;
    return [0, 2, 4].map((offset) => all[offset + modes.indexOf(mode)] ?? '');
  };
  const idOf = (gid: string, at: string) => `reconcile:${gid}@${at}`;
  const changedAt = async (gid: string): Promise<string> => {
    // In the inbox's format: the time follows the id of the return.
    const found = (await list(mode, 'platform=shopify&limit=100')).map(({ deliveryId }) => deliveryId);
    return (
      found
        .filter((id) => id.startsWith(`reconcile:${gid}@`))
        .toSorted()
        .at(-1)
        ?.split('@')[1] ?? ''
    );
  };

  it('creates a return whose deliveries were all lost, with its current state', async () => {
    const [orderId = ''] = orderIds();
    const gid = stack.shop.webhook(orderId, { quantity: 1 }).returnGid;
    stack.shop.move(gid, { do: 'approve' });
    stack.shop.refund(orderId, gid, { amount: '1.00' });
    const { reply } = await lambda(mode, stack.info)('reconcilePlatforms', {});
    expect(reply).toMatchObject({ shops: 1, failed: 0 });
    const created = await synced(mode, idOf(gid, await changedAt(gid)));
    expect(created).toMatchObject({
      status: 'approved',
      externalRefs: [{ platform: 'shopify', id: gid }],
      refunds: [{ amount: { amount: 100 } }],
    });
  });

  it('stores each change once, in consecutive and in concurrent runs', async () => {
    const [, orderId = ''] = orderIds();
    const gid = stack.shop.makeReturn(orderId, { quantity: 1 });
    const run = lambda(mode, stack.info);
    const both = await Promise.all([run('reconcilePlatforms', {}), run('reconcilePlatforms', {})]);
    expect(both.map(({ reply }) => reply)).toMatchObject([{ failed: 0 }, { failed: 0 }]);
    const at = await changedAt(gid);
    expect(await hooksOf(stack, mode).settled(idOf(gid, at))).toHaveLength(1);
    expect((await run('reconcilePlatforms', {})).reply).toMatchObject({ stored: 0, failed: 0 });
  });

  it('reports the shop that it could not ask, and continues once the shop answers', async () => {
    const [, , orderId = ''] = orderIds();
    const gid = stack.shop.makeReturn(orderId, { quantity: 1 });
    stack.shop.fail({ times: 1, status: 404 });
    const ended = stack.next(isRun(mode));
    const failing = await invokeRaw(mode);
    expect(await ended).toMatchObject({ error: expect.any(String) });
    expect(failing).toMatchObject({ errorType: 'NotReconciled', errorMessage: '1 of 1 shops were not reconciled' });
    expect(await changedAt(gid)).toBe('');
    expect((await lambda(mode, stack.info)('reconcilePlatforms', {})).reply).toMatchObject({ failed: 0 });
    expect(await changedAt(gid)).not.toBe('');
  });
});
