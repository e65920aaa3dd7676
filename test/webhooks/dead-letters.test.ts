import { randomUUID } from 'node:crypto';
import { SendMessageCommand, SQSClient } from '@aws-sdk/client-sqs';
import { ulid } from 'ulid';
import { describe, expect, it } from 'vitest';
import type { Output } from '../../lib/contract/contract.ts';
import type { StackEvent } from '../../lib/tools/local/events.ts';
import { clientSettings } from '../../lib/tools/local/emulators/function-spec.ts';
import { decodeInboxKey } from '../../lib/store/inbox/inbox-row.ts';
import { api } from '../support/api.ts';
import { parkedDelivery } from '../support/deliveries.ts';
import { waitingJob } from '../support/jobs.ts';
import { inSoak, oneMode } from '../support/samples.ts';
import { sharedStack } from '../support/own-stack.ts';
import { modes, type Mode } from '../../lib/tools/template/functions/function-row.ts';

type Redriven = Output<'redriveDeadLetters'>;

const stack = await sharedStack();
const messageId = expect.any(String) as string;

const worldOf = (mode: Mode) => {
  const service = api(mode, stack.info);
  const redrive = async (queue: string, options: { key?: string; dryRun?: boolean; limit?: number } = {}) => {
    const { key = randomUUID(), dryRun = false, limit } = options;
    const path = `/dead-letters/${queue}/redrives${dryRun ? '?dryRun=true' : ''}`;
    const answer = await service.post(path, limit === undefined ? {} : { limit }, { key });
    expect(answer.status).toBe(200);
    return answer.body as unknown as Redriven;
  };
  return {
    service,
    redrive,
    /** Redrives until a message is there: after a dry run it is visible again a second later. */
    redriveNext: async (queue: string): Promise<Redriven> => {
      for (;;) {
        const redriven = await redrive(queue);
        if (redriven.moved + redriven.dropped.length > 0) return redriven;
      }
    },
    putAside: async (queue: string, body: string): Promise<void> => {
      const sqs = new SQSClient({ ...clientSettings, endpoint: stack.info.aws.sqs });
      const QueueUrl = stack.info.aws.queues[`${mode}.${queue}DeadLetters`];
      await sqs.send(new SendMessageCommand({ QueueUrl, MessageBody: body }));
      sqs.destroy();
    },
    list: async () => {
      const { status, body } = await service.get('/dead-letters');
      expect(status).toBe(200);
      return (body as unknown as Output<'listDeadLetters'>).queues;
    },
    ran: (name: string) => (event: StackEvent) =>
      event.type === 'invoked' && event.source === mode && event.function === name,
  };
};

describe.each(modes)('listDeadLetters in the %s mode', (mode) => {
  it('names the queues of the deployment, their messages, and the effect of a redrive', async () => {
    const { list, putAside, redrive } = worldOf(mode);
    await putAside('Inbox', 'poison');
    const queues = await list();
    expect(queues.map(({ queue }) => queue)).toEqual(
      mode === 'connected'
        ? ['inbox', 'events']
        : ['inbox', 'events', 'jobs', 'outbox', 'write-back', 'mails', 'stream'],
    );
    expect(queues.find(({ queue }) => queue === 'inbox')?.messages).toBeGreaterThanOrEqual(1);
    expect(queues.every(({ effect }) => effect.endsWith('.'))).toBe(true);
    await redrive('inbox');
  });

  it('returns 403 without the admin scope', async () => {
    const { service } = worldOf(mode);
    const client = 'returns-partner';
    expect((await service.get('/dead-letters', { client })).status).toBe(403);
    expect((await service.post('/dead-letters/inbox/redrives', {}, { client })).status).toBe(403);
  });
});

// Both modes redrive by the same code.
describe.each(oneMode('connected'))('redriveDeadLetters in the %s mode', (mode) => {
  it.each(inSoak('reopens failed deliveries of the inbox, once for a key'))('%s', async () => {
    const { putAside, redrive, redriveNext } = worldOf(mode);
    const deliveryKey = await parkedDelivery(stack.info, mode, { status: 'failed', lastError: 'shop_status_503' });
    await putAside('Inbox', JSON.stringify({ key: decodeInboxKey(deliveryKey) }));
    await putAside('Inbox', 'poison');
    const dropped = [{ messageId, reason: 'message_invalid' }];
    expect(await redrive('inbox', { dryRun: true })).toEqual({ queue: 'inbox', moved: 1, dropped, remaining: 0 });
    const first = await redriveNext('inbox');
    expect(first.queue).toBe('inbox');
    const key = randomUUID();
    const again = await redrive('inbox', { key });
    expect(await redrive('inbox', { key })).toEqual(again);
  });

  it.each(inSoak('sends events to their queue again'))('%s', async () => {
    const { putAside, ran, redrive, redriveNext } = worldOf(mode);
    // A message of a project that the deployment does not know: receiveEvents drops it.
    await putAside('Events', JSON.stringify({ notificationType: 'Message', projectKey: `foreign-${randomUUID()}` }));
    expect(await redrive('events', { dryRun: true })).toMatchObject({ moved: 1 });
    const run = stack.next(ran('receiveEvents'));
    expect(await redriveNext('events')).toEqual({ queue: 'events', moved: 1, dropped: [], remaining: 0 });
    await run;
  });

  it('returns 404 for a queue of the other mode, and 400 for an unknown one', async () => {
    const { service } = worldOf(mode);
    const { status, body } = await service.post('/dead-letters/jobs/redrives', {});
    expect([status, body.code]).toEqual(mode === 'connected' ? [404, 'dead_letter_queue_not_found'] : [200, undefined]);
    expect((await service.post('/dead-letters/spam/redrives', {})).status).toBe(400);
    expect((await service.post('/dead-letters/inbox/redrives', { limit: 101 })).status).toBe(400);
  });
});

describe('redriveDeadLetters of the queues of the standalone mode', () => {
  const { service, putAside, ran, redrive, redriveNext } = worldOf('standalone');
  const ended = async (jobId: string): Promise<unknown> => {
    for (;;) {
      const run = stack.next(ran('runJob'));
      const { status } = (await service.get(`/jobs/${jobId}`)).body as { readonly status?: unknown };
      if (status === 'done') return status;
      await run;
    }
  };

  it('reopens a failed job, which then ends', async () => {
    const jobId = await waitingJob(stack.info, { status: 'failed', failure: { code: 'internal_error', part: 0 } });
    await putAside('Jobs', JSON.stringify({ jobId, shard: 0 }));
    expect(await redrive('jobs', { dryRun: true })).toMatchObject({ moved: 1, dropped: [] });
    expect(await redriveNext('jobs')).toMatchObject({ queue: 'jobs', moved: 1, dropped: [] });
    expect(await ended(jobId)).toBe('done');
  });

  it.each(inSoak('drops messages of jobs that ended, are too large, or are gone'))('%s', async () => {
    const jobs = [
      await waitingJob(stack.info, { status: 'cancelled' }),
      await waitingJob(stack.info, { status: 'failed', failure: { code: 'too_large', part: 0 } }),
      `job_${ulid()}`,
    ];
    for (const jobId of jobs) await putAside('Jobs', JSON.stringify({ jobId, shard: 0 }));
    await putAside('Jobs', '{}');
    const { moved, dropped } = await redrive('jobs');
    expect(moved).toBe(0);
    expect(dropped.map(({ reason }) => reason).toSorted()).toEqual([
      'job_ended',
      'job_ended',
      'job_missing',
      'message_invalid',
    ]);
  });

  it.each(inSoak('sends messages of the outbox again, and drops malformed ones'))('%s', async () => {
    await putAside('Outbox', JSON.stringify({ endpointId: `whk_${ulid()}`, group: 0 }));
    await putAside('Outbox', JSON.stringify({ endpointId: 'whk', group: 99 }));
    const dropped = [{ messageId, reason: 'message_invalid' }];
    const redriven = { queue: 'outbox', moved: 1, dropped, remaining: 0 };
    expect(await redrive('outbox', { dryRun: true })).toEqual(redriven);
    const run = stack.next(ran('deliverEvents'));
    let moved = 0;
    // A received message is visible again after a second.
    while (moved === 0) moved += (await redrive('outbox')).moved;
    await run;
  });

  it('asks the shops of orders again, and drops messages without an order', async () => {
    await putAside('WriteBack', JSON.stringify({ platform: 'web', orderId: randomUUID() }));
    await putAside('WriteBack', JSON.stringify({ platform: 'web' }));
    const dropped = [{ messageId, reason: 'message_invalid' }];
    const run = stack.next(ran('writeBack'));
    let redriven: Redriven = { queue: 'write-back', moved: 0, dropped: [], remaining: 0 };
    // The two messages may come one after the other.
    while (redriven.moved === 0 || redriven.dropped.length === 0) {
      const next = await redrive('write-back');
      redriven = { ...next, moved: redriven.moved + next.moved, dropped: [...redriven.dropped, ...next.dropped] };
    }
    expect(redriven).toMatchObject({ moved: 1, dropped });
    await run;
  });

  it('sends mails again, and drops messages without an event', async () => {
    await putAside('Mails', JSON.stringify({ event: ['evt_01KAJ5B7D9F1H3K5M7P9R1T3V5'] }));
    await putAside('Mails', JSON.stringify({ event: ['evt_1'] }));
    const redriven = { moved: 0, dropped: 0 };
    // The two messages may come one after the other.
    while (redriven.moved === 0 || redriven.dropped === 0) {
      const { moved, dropped } = await redrive('mails');
      redriven.moved += moved;
      redriven.dropped += dropped.length;
    }
    expect(redriven).toEqual({ moved: 1, dropped: 1 });
  });

  it.each(inSoak('deletes positions of the stream, whose gaps the schedules repair'))('%s', async () => {
    await putAside('Stream', JSON.stringify({ DDBStreamBatchInfo: { shardId: 'shard-1' } }));
    const redriven = { queue: 'stream', moved: 0, dropped: [{ messageId, reason: 'not_redrivable' }], remaining: 0 };
    expect(await redrive('stream', { dryRun: true })).toEqual(redriven);
    expect(await redriveNext('stream')).toEqual(redriven);
  });

  it.each(inSoak('moves at most as many messages as the limit'))('%s', async () => {
    for (let one = 0; one < 3; one += 1) await putAside('Stream', `{"one":${one}}`);
    expect(await redrive('stream', { limit: 2 })).toMatchObject({ dropped: { length: 2 }, remaining: 1 });
    expect(await redrive('stream')).toMatchObject({ dropped: { length: 1 }, remaining: 0 });
  });
});
