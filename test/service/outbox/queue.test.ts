import { createHash } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { enqueueMessages } from '../../../lib/service/outbox/queue.ts';
import { startServer } from '../../support/http-server.ts';
import { setEnvironment } from '../../support/environment.ts';

const messages = [
  { endpointId: 'whk_1', group: 1 },
  { endpointId: 'whk_2', eventId: 'evt_1' },
];

/** Starts an SQS that accepts the messages with these ids. */
const startQueue = async (accepted: readonly string[]) => {
  const server = await startServer(({ body }) => {
    const { Entries } = JSON.parse(body) as { Entries: { Id: string; MessageBody: string }[] };
    const Successful = Entries.filter(({ Id }) => accepted.includes(Id)).map(({ Id, MessageBody }) => ({
      Id,
      MD5OfMessageBody: createHash('md5').update(MessageBody).digest('hex'),
    }));
    return { status: 200, body: JSON.stringify({ Successful }) };
  });
  setEnvironment({ AWS_ENDPOINT_URL_SQS: server.origin, OUTBOX_QUEUE_URL: `${server.origin}/000000000000/outbox` });
  return server;
};

describe('outbox queue', () => {
  // The local SQS does not store the group of a message in a standard queue. The test checks the request.
  it('puts the messages of each endpoint into their own group, so that the queue can be fair to all', async () => {
    await using server = await startQueue(['0', '1']);
    await enqueueMessages(messages, new AbortController().signal);
    const { Entries } = JSON.parse(server.requests[0]?.body ?? '') as { Entries: object[] };
    expect(Entries).toMatchObject([{ MessageGroupId: 'whk_1' }, { MessageGroupId: 'whk_2' }]);
  });

  it('throws when the queue has accepted only some of the messages', async () => {
    await using _ = await startQueue(['1']);
    await expect(enqueueMessages(messages, new AbortController().signal)).rejects.toThrow(
      '1 of 2 messages were not enqueued',
    );
  });
});
