import { randomUUID } from 'node:crypto';
import { SendMessageCommand, SQSClient } from '@aws-sdk/client-sqs';
import { describe, expect, it } from 'vitest';
import { clientSettings } from '../../lib/tools/local/emulators/function-spec.ts';
import { type InboxRow, decodeInboxKey } from '../../lib/store/inbox/inbox-row.ts';
import { api } from '../support/api.ts';
import { parkedDelivery } from '../support/deliveries.ts';
import { sharedStack } from '../support/own-stack.ts';
import { oneMode } from '../support/samples.ts';
import { hooksOf } from './support.ts';

type Dropped = { readonly messageId: string; readonly deliveryKey?: string; readonly reason: string };
type Redriven = { readonly moved: number; readonly dropped: readonly Dropped[]; readonly remaining: number };

const stack = await sharedStack();

const failed: Partial<InboxRow> = { status: 'failed', lastError: 'shop_status_503', attempts: 400 };

describe.each(oneMode('connected'))('redriveInbox in the %s mode', (mode) => {
  const service = () => api(mode, stack.info);
  const redrive = async (body: object = {}, options: { key?: string; dryRun?: boolean } = {}) => {
    const { dryRun = false, key = randomUUID() } = options;
    const answer = await service().post(`/inbox/redrive${dryRun ? '?dryRun=true' : ''}`, body, { key });
    expect(answer.status).toBe(200);
    return answer.body as unknown as Redriven;
  };
  /** Sends a message to the DLQ: with a reason, as a worker does, or without one, as the queue does. */
  const putAside = async (body: string, hasReason = true): Promise<void> => {
    const sqs = new SQSClient({ ...clientSettings, endpoint: stack.info.aws.sqs });
    const reason = { DataType: 'String', StringValue: 'shop_status_503' };
    await sqs.send(
      new SendMessageCommand({
        QueueUrl: stack.info.aws.queues[`${mode}.InboxDeadLetters`],
        MessageBody: body,
        ...(hasReason && { MessageAttributes: { reason } }),
      }),
    );
    sqs.destroy();
  };
  const giveUp = async (changes: Partial<InboxRow>, hasReason = true) => {
    const deliveryId = randomUUID();
    const deliveryKey = await parkedDelivery(stack.info, mode, { deliveryId, ...changes });
    await putAside(JSON.stringify({ key: decodeInboxKey(deliveryKey) }), hasReason);
    return { deliveryId, deliveryKey };
  };
  const rowOf = async (deliveryId: string) => (await hooksOf(stack, mode).settled(deliveryId))[0];

  it('reprocesses failed deliveries', async () => {
    const { deliveryId } = await giveUp(failed);
    expect(await redrive({}, { dryRun: true })).toEqual({ moved: 1, dropped: [], remaining: 0 });
    expect(await hooksOf(stack, mode).inbox(deliveryId)).toMatchObject([{ status: 'failed' }]);
    let [key, first] = ['', { moved: 0 }];
    // A received message is visible again after a second.
    while (first.moved === 0) {
      key = randomUUID();
      first = await redrive({}, { key });
    }
    expect(first).toEqual({ moved: 1, dropped: [], remaining: 0 });
    expect(await rowOf(deliveryId)).toMatchObject({
      status: 'parked',
      attempts: 401,
      runs: [{ status: 'failed', lastError: 'shop_status_503' }],
    });
    expect(await redrive({}, { key })).toEqual(first);
    expect(await redrive()).toEqual({ moved: 0, dropped: [], remaining: 0 });
  });

  it('reprocesses unsettled deliveries that the queue dead-lettered', async () => {
    const { deliveryId } = await giveUp({ status: 'received', lastError: 'shop_status_503' }, false);
    expect(await redrive()).toMatchObject({ moved: 1, dropped: [] });
    expect(await rowOf(deliveryId)).toMatchObject({ status: 'parked', attempts: 2 });
  });

  it('drops unusable messages and reports the reason', async () => {
    const settled = await giveUp({ status: 'done' });
    const reopened = await giveUp({ status: 'received' });
    await putAside('poison');
    await putAside(JSON.stringify({ key: 'INBOX#shopify#gone.example#returns%2Frequest#1' }));
    const { moved, dropped, remaining } = await redrive();
    expect({ moved, remaining }).toEqual({ moved: 0, remaining: 0 });
    const messageId = expect.any(String);
    expect(dropped.toSorted((a, b) => (a.reason < b.reason ? -1 : 1))).toEqual([
      { messageId, deliveryKey: expect.any(String), reason: 'delivery_missing' },
      { messageId, deliveryKey: reopened.deliveryKey, reason: 'delivery_reopened' },
      { messageId, deliveryKey: settled.deliveryKey, reason: 'delivery_settled' },
      { messageId, reason: 'message_invalid' },
    ]);
    expect(await redrive()).toEqual({ moved: 0, dropped: [], remaining: 0 });
  });

  it('drops the message of a delivery that was replayed by its key', async () => {
    const { deliveryId, deliveryKey } = await giveUp(failed);
    const replayed = await service().post(`/inbox/deliveries/${deliveryKey}/replay`);
    expect(replayed).toMatchObject({ status: 200, body: { status: 'received' } });
    expect(await rowOf(deliveryId)).toMatchObject({ status: 'parked' });
    expect(await redrive()).toMatchObject({ moved: 0, dropped: [{ deliveryKey, reason: 'delivery_settled' }] });
  });

  it('moves at most as many messages as the limit', async () => {
    const dead = await Promise.all(Array.from({ length: 12 }, async () => giveUp(failed)));
    expect(await redrive({ limit: 1 })).toEqual({ moved: 1, dropped: [], remaining: 11 });
    expect(await redrive({})).toEqual({ moved: 11, dropped: [], remaining: 0 });
    for (const { deliveryId } of dead) expect(await rowOf(deliveryId)).toMatchObject({ status: 'parked' });
  });

  it('returns 403 without the admin scope', async () => {
    const { status } = await service().post('/inbox/redrive', {}, { client: 'returns-partner' });
    expect(status).toBe(403);
  });
});
