import { randomUUID } from 'node:crypto';
import { InvokeCommand } from '@aws-sdk/client-lambda';
import { ReceiveMessageCommand, SendMessageCommand, SQSClient } from '@aws-sdk/client-sqs';
import { describe, expect, it } from 'vitest';
import { clientSettings } from '../../lib/tools/local/emulators/function-spec.ts';
import { functionName, lambda, lambdaClient } from '../support/lambda.ts';
import { sharedStack, type SharedStack } from '../support/own-stack.ts';
import { oneMode } from '../support/samples.ts';
import { modes } from '../../lib/tools/template/functions/function-row.ts';
import { hooksOf } from './support.ts';

const stack = await sharedStack();
const orderIds = stack.shop.sell(6);

describe.each(oneMode('connected'))('EventBridge events in the %s mode', (mode) => {
  const orderId = (index: number) => orderIds[2 * index + modes.indexOf(mode)] ?? '';
  /** Returns a delivery as an event of Shopify's bus. */
  const bridged = ({ headers, body }: ReturnType<SharedStack['shop']['webhook']>, deliveryId: string) => ({
    version: '0',
    id: randomUUID(),
    'detail-type': 'shopifyWebhook',
    source: 'aws.partner/shopify.com/1/returns',
    detail: {
      metadata: { ...headers, 'x-shopify-webhook-id': deliveryId },
      payload: JSON.parse(body.toString()) as unknown,
    },
  });
  const queueOf = (name: string) => stack.info.aws.queues[`${mode}.${name}`];
  const sqs = () => new SQSClient({ ...clientSettings, endpoint: stack.info.aws.sqs });

  it('makes one return of repeated events', async () => {
    const hooks = hooksOf(stack, mode);
    const [first, copy] = [randomUUID(), randomUUID()];
    const delivery = stack.shop.webhook(orderId(0), { quantity: 1 });
    const receiveEvents = lambda(mode, stack.info);
    for (const deliveryId of [first, first, copy]) {
      const { error } = await receiveEvents('receiveEvents', bridged(delivery, deliveryId));
      expect(error).toBeUndefined();
    }
    expect(await hooks.settled(first)).toMatchObject([{ platform: 'shopify', status: 'done' }]);
    expect(await hooks.inbox(copy)).toEqual([]);
  });

  it('dead-letters an event that fails and processes it when it is sent again', async () => {
    const hooks = hooksOf(stack, mode);
    const nobodys = { source: 'aws.partner/example.com/x', detail: { n: randomUUID() } };
    await lambdaClient(mode, stack.info).send(
      new InvokeCommand({
        FunctionName: functionName('receiveEvents'),
        InvocationType: 'Event',
        Payload: JSON.stringify(nobodys),
      }),
    );
    const { Messages: [aside] = [] } = await sqs().send(
      new ReceiveMessageCommand({ QueueUrl: queueOf('EventsDeadLetters'), WaitTimeSeconds: 15 }),
    );
    const record = JSON.parse(aside?.Body ?? '') as Record<string, unknown>;
    expect(record).toMatchObject({
      requestPayload: nobodys,
      responsePayload: { errorType: 'EventNotTaken', errorMessage: 'no_platform_takes_it' },
    });
    const deliveryId = randomUUID();
    const fixed = { ...record, requestPayload: bridged(stack.shop.webhook(orderId(1), { quantity: 1 }), deliveryId) };
    await sqs().send(new SendMessageCommand({ QueueUrl: queueOf('EventsQueue'), MessageBody: JSON.stringify(fixed) }));
    expect(await hooks.settled(deliveryId)).toMatchObject([{ status: 'done' }]);
  });
});
