import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { lambda } from '../support/lambda.ts';
import { startOwnStack, type OwnStack } from '../support/own-stack.ts';
import { ways } from '../support/stack.ts';
import { hooksOf } from './support.ts';

let stack: OwnStack;
beforeAll(async () => {
  stack = await startOwnStack();
});
afterAll(async () => stack.close());

describe.each(ways)('the inbox of the %s way', (way) => {
  it('works off what was lost between the table and the queue', async () => {
    const hooks = hooksOf(stack, way);
    const [known, lost] = [randomUUID(), randomUUID()];
    const { headers, body } = stack.shop.webhook(stack.info.webhooks.shopify.orderIds[ways.indexOf(way)] ?? '', {
      quantity: 1,
    });
    await hooks.deliver({ headers: { ...headers, 'x-shopify-webhook-id': known }, body });
    const [row = {}] = await hooks.settled(known);
    expect(row).toMatchObject({ status: 'done' });
    await hooks.strand(row, lost);
    const { reply } = await lambda(way, stack.info)('sweepInbox', {});
    expect(reply).toEqual({ announced: 1, failed: 0 });
    // The return is there already, by the delivery that this one is a copy of.
    expect(await hooks.settled(lost)).toMatchObject([{ status: 'done', returnId: row['returnId'] }]);
  });
});
