import { describe, expect, it } from 'vitest';
import { enqueueMessages } from '../../../lib/service/outbox/queue.ts';
import { startServer } from '../../support/http-server.ts';
import { setEnvironment } from '../../support/environment.ts';

describe('outbox queue', () => {
  // The local SQS does not store the group of a message in a standard queue. The test checks the request.
  it('puts the messages of each endpoint into their own group, so that the queue can be fair to all', async () => {
    await using server = await startServer(() => ({ status: 200, body: '{"Successful":[]}' }));
    setEnvironment({
      AWS_ENDPOINT_URL_SQS: server.origin,
      OUTBOX_QUEUE_URL: `${server.origin}/000000000000/outbox`,
    });
    const messages = [
      { endpointId: 'whk_1', group: 1 },
      { endpointId: 'whk_2', eventId: 'evt_1' },
    ];
    await enqueueMessages(messages, new AbortController().signal);
    const { Entries } = JSON.parse(server.requests[0]?.body ?? '') as { Entries: object[] };
    expect(Entries).toMatchObject([{ MessageGroupId: 'whk_1' }, { MessageGroupId: 'whk_2' }]);
  });
});
