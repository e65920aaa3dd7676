import { connect } from 'node:net';
import { GetQueueAttributesCommand, SendMessageCommand, SQSClient } from '@aws-sdk/client-sqs';
import type { SQSEvent } from 'aws-lambda';
import { describe, expect, onTestFinished, test } from 'vitest';
import { deploy } from '../../lib/local/cloudformation/deployment.ts';
import { clientSettings } from '../../lib/local/emulators/function-spec.ts';
import { functionSpecs } from '../../lib/local/emulators/functions.ts';
import { checkLoop, checkMapping, mappingsOf, startPoller } from '../../lib/local/emulators/queue-poller.ts';
import { createQueues, startQueues } from '../../lib/local/emulators/queues.ts';
import { liveAliasOf, temporaryDirectory } from './support.ts';

const template = {
  Resources: {
    Inbox: {
      Type: 'AWS::SQS::Queue',
      Properties: {
        VisibilityTimeout: 1,
        RedrivePolicy: { deadLetterTargetArn: { 'Fn::GetAtt': ['Dead', 'Arn'] }, maxReceiveCount: 2 },
      },
    },
    Dead: { Type: 'AWS::SQS::Queue' },
    Work: {
      Type: 'AWS::Lambda::Function',
      Properties: { FunctionName: 'returns-dev-work', Handler: 'dist/work/index.handler', Timeout: 1, MemorySize: 128 },
    },
    WorkLive: liveAliasOf('Work'),
    Mapping: {
      Type: 'AWS::Lambda::EventSourceMapping',
      Properties: {
        BatchSize: 10,
        EventSourceArn: { 'Fn::GetAtt': ['Inbox', 'Arn'] },
        FunctionName: { Ref: 'WorkLive' },
        FunctionResponseTypes: ['ReportBatchItemFailures'],
      },
    },
  },
};

const start = async (work: (event: SQSEvent) => unknown) => {
  const queues = await startQueues(await temporaryDirectory(), 0);
  const deployment = deploy(template, { mode: 'connected', parameters: {}, sqs: queues.url });
  const [inbox, dead] = deployment.ofType('AWS::SQS::Queue').map(({ local }) => local.ref);
  await createQueues(queues.url, deployment.ofType('AWS::SQS::Queue'));
  await createQueues(queues.url, deployment.ofType('AWS::SQS::Queue'));
  const [mapping] = mappingsOf(deployment, functionSpecs(deployment));
  if (mapping === undefined) throw new Error('no mapping');
  await checkMapping(queues.url, mapping);
  const received: SQSEvent[] = [];
  const poller = startPoller({
    endpoint: queues.url,
    emulator: queues.url,
    mapping,
    invoke: async (_, event) => {
      received.push(event as SQSEvent);
      return work(event as SQSEvent);
    },
  });
  const client = new SQSClient({ ...clientSettings, endpoint: queues.url });
  onTestFinished(async () => {
    client.destroy();
    await poller.close();
    await queues.close();
  });
  const send = (MessageBody: string) =>
    client.send(
      new SendMessageCommand({
        QueueUrl: inbox,
        MessageBody,
        MessageAttributes: { why: { DataType: 'String', StringValue: 'test' } },
      }),
    );
  const count = async (QueueUrl: string | undefined) => {
    const { Attributes = {} } = await client.send(new GetQueueAttributesCommand({ QueueUrl, AttributeNames: ['All'] }));
    return (
      Number(Attributes['ApproximateNumberOfMessages']) + Number(Attributes['ApproximateNumberOfMessagesNotVisible'])
    );
  };
  const bodies = () => received.map(({ Records }) => Records.map(({ body }) => body));
  /** Sends a message, and closes the connection before the response. */
  const sendAndHangUp = (message: object): Promise<void> =>
    new Promise((resolve) => {
      const { hostname, port } = new URL(queues.url);
      const body = JSON.stringify({ QueueUrl: inbox, ...message });
      const head = [
        'POST / HTTP/1.1',
        'host: queues',
        'x-amz-target: AmazonSQS.SendMessage',
        'content-type: application/x-amz-json-1.0',
        `content-length: ${body.length}`,
      ];
      const socket = connect(Number(port), hostname, () => {
        socket.write(`${head.join('\r\n')}\r\n\r\n${body}`, () => {
          socket.resetAndDestroy();
          resolve();
        });
      });
    });
  const [inInbox, inDead] = [() => count(inbox), () => count(dead)];
  return { queues, mapping, poller, send, sendAndHangUp, received, bodies, inInbox, inDead };
};

describe('queue poller', () => {
  test('delivers a message as Lambda does, and deletes it after success', async () => {
    const { send, received, inInbox } = await start(() => ({ batchItemFailures: [] }));
    await send('hello');
    await expect.poll(() => received).toHaveLength(1);
    expect(received[0]?.Records).toEqual([
      {
        messageId: expect.any(String),
        receiptHandle: expect.any(String),
        body: 'hello',
        attributes: expect.objectContaining({
          ApproximateReceiveCount: '1',
          SentTimestamp: expect.stringMatching(/^\d+$/),
          ApproximateFirstReceiveTimestamp: expect.any(String),
        }),
        messageAttributes: {
          why: { stringValue: 'test', stringListValues: [], binaryListValues: [], dataType: 'String' },
        },
        md5OfBody: '5d41402abc4b2a76b9719d911017c592',
        eventSource: 'aws:sqs',
        eventSourceARN: 'arn:aws:sqs:eu-central-1:000000000000:returns-connected-Inbox',
        awsRegion: 'eu-central-1',
      },
    ]);
    await expect.poll(inInbox).toBe(0);
  });

  test('delivers a delayed message in time, although its sender has hung up', async () => {
    const { sendAndHangUp, received, inInbox } = await start(() => ({ batchItemFailures: [] }));
    // The emulator answers after it has taken the earlier receive.
    await inInbox();
    await sendAndHangUp({ MessageBody: 'late', DelaySeconds: 1 });
    await expect.poll(() => received).toHaveLength(1);
    const { SentTimestamp, ApproximateFirstReceiveTimestamp } = received[0]?.Records[0]?.attributes ?? {};
    // A waiting receive ends after twenty seconds.
    expect(Number(ApproximateFirstReceiveTimestamp) - Number(SentTimestamp)).toBeLessThan(10_000);
  });

  test('delivers a failed message again, and dead-letters it in the end', async () => {
    const failing = ({ Records }: SQSEvent) => ({
      batchItemFailures: Records.filter(({ body }) => body === 'bad').map(({ messageId }) => ({
        itemIdentifier: messageId,
      })),
    });
    const { send, bodies, inInbox, inDead } = await start(failing);
    await send('bad');
    await send('good');
    await expect.poll(inDead).toBe(1);
    expect(await inInbox()).toBe(0);
    expect(
      bodies()
        .flat()
        .filter((body) => body === 'good'),
    ).toHaveLength(1);
    expect(
      bodies()
        .flat()
        .filter((body) => body === 'bad'),
    ).toHaveLength(2);
  });

  test.each([
    ['throws', () => Promise.reject(new Error('broken'))],
    ['names an unknown message', () => ({ batchItemFailures: [{ itemIdentifier: 'another' }] })],
  ])('treats a function that %s as failed', async (_, work) => {
    const { send, bodies } = await start(work);
    await send('one');
    await expect.poll(bodies).toEqual([['one'], ['one']]);
  });

  test('closes in less than half of its wait for messages', async () => {
    const { poller } = await start(() => null);
    const startedAt = performance.now();
    await poller.close();
    expect(performance.now() - startedAt).toBeLessThan(10_000);
  });

  test('refuses a queue with a visibility timeout below the function’s timeout, as Lambda does', async () => {
    const { queues, mapping } = await start(() => null);
    const slow = { ...mapping, function: { ...mapping.function, timeoutMs: 2_000 } };
    await expect(checkMapping(queues.url, slow)).rejects.toThrow(
      'Queue visibility timeout: 1 seconds is less than Function timeout: 2 seconds',
    );
  });

  test.each([
    ['is refused', undefined, 'Lambda stops it after 16 invocations in a row'],
    ['is refused where the function says Terminate', 'Terminate', 'Its RecursiveLoop must be Allow'],
    ['is accepted where the function allows it', 'Allow', undefined],
  ] as const)('a function that may write to its own source queue %s', (_, recursiveLoop, refusal) => {
    const deployment = deploy(template, { mode: 'connected', parameters: {}, sqs: 'http://127.0.0.1:1' });
    const [mapping] = mappingsOf(deployment, functionSpecs(deployment));
    if (mapping === undefined) throw new Error('no mapping');
    const permissions = [{ action: 'sqs:SendMessage', resource: mapping.queueArn }];
    const { name, key } = mapping.function;
    const identities = new Map([[name, { function: key, arn: 'arn', permissions }]]);
    const looping = { ...mapping, function: { ...mapping.function, ...(recursiveLoop && { recursiveLoop }) } };
    const faultOf = (check: () => void): string | undefined => {
      try {
        check();
        return undefined;
      } catch (error) {
        return String(error);
      }
    };
    expect(faultOf(() => checkLoop(identities, looping))?.includes(refusal ?? '')).toBe(refusal && true);
    expect(faultOf(() => checkLoop(new Map(), looping))).toBeUndefined();
  });
});
