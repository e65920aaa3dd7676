import { connect } from 'node:net';
import { GetQueueAttributesCommand, SendMessageCommand, SQSClient } from '@aws-sdk/client-sqs';
import type { SQSEvent } from 'aws-lambda';
import { describe, expect, it, onTestFinished } from 'vitest';
import { clientSettings } from '../../../lib/tools/local/emulators/function-spec.ts';
import { functionSpecs } from '../../../lib/tools/local/emulators/functions.ts';
import { checkLoop, checkMapping, mappingsOf, startPoller } from '../../../lib/tools/local/emulators/queue-poller.ts';
import { createQueues, startQueues } from '../../../lib/tools/local/emulators/queues.ts';
import { deployed, functionWith } from './resources.ts';
import { temporaryDirectory } from './support.ts';

const deployedQueues = (sqs: string) => {
  const deployment = deployed(
    {
      Inbox: {
        Type: 'AWS::SQS::Queue',
        Properties: {
          VisibilityTimeout: 1,
          RedrivePolicy: { deadLetterTargetArn: { 'Fn::GetAtt': ['Dead', 'Arn'] }, maxReceiveCount: 2 },
        },
      },
      Dead: { Type: 'AWS::SQS::Queue' },
      ...functionWith('work'),
      Mapping: {
        Type: 'AWS::Lambda::EventSourceMapping',
        Properties: {
          EventSourceArn: { 'Fn::GetAtt': ['Inbox', 'Arn'] },
          FunctionName: { Ref: 'workLive' },
          FunctionResponseTypes: ['ReportBatchItemFailures'],
        },
      },
    },
    { sqs },
  );
  const [mapping] = mappingsOf(deployment, functionSpecs(deployment));
  if (mapping === undefined) throw new Error('no mapping');
  return { queues: deployment.ofType('AWS::SQS::Queue'), mapping };
};

const counts = ['ApproximateNumberOfMessages', 'ApproximateNumberOfMessagesNotVisible'] as const;

const start = async (work: (event: SQSEvent) => unknown = () => ({ batchItemFailures: [] })) => {
  const { url, close } = await startQueues(await temporaryDirectory(), 0);
  onTestFinished(close);
  const { queues, mapping } = deployedQueues(url);
  // A later start updates the queues.
  for (let times = 0; times < 2; times += 1) await createQueues(url, queues);
  await checkMapping(url, mapping);
  const received: SQSEvent[] = [];
  const invoke = async (_: string, event: unknown) => {
    received.push(event as SQSEvent);
    return work(event as SQSEvent);
  };
  const poller = startPoller({ endpoint: url, emulator: url, mapping, invoke });
  onTestFinished(poller.close);
  const client = new SQSClient({ ...clientSettings, endpoint: url });
  onTestFinished(() => client.destroy());
  const [inbox, dead] = queues.map(({ local }) => local.ref);
  const count = async (QueueUrl: string | undefined) => {
    const { Attributes } = await client.send(new GetQueueAttributesCommand({ QueueUrl, AttributeNames: [...counts] }));
    return counts.reduce((sum, name) => sum + Number(Attributes?.[name]), 0);
  };
  return {
    url,
    inbox,
    mapping,
    poller,
    received,
    send: async (MessageBody: string, MessageAttributes = {}) =>
      client.send(new SendMessageCommand({ QueueUrl: inbox, MessageBody, MessageAttributes })),
    bodies: () => received.flatMap(({ Records }) => Records.map(({ body }) => body)),
    inInbox: async () => count(inbox),
    inDead: async () => count(dead),
  };
};

/** https://docs.aws.amazon.com/lambda/latest/dg/with-sqs.html, services-sqs-errorhandling.html */
describe('SQS queue that feeds a function', () => {
  it('delivers a message in the event of Lambda, and deletes it after a success', async () => {
    const { send, received, inInbox } = await start();
    await send('hello', { why: { DataType: 'String', StringValue: 'test' } });
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
        eventSourceARN: 'arn:aws:sqs:eu-central-1:000000000000:returns-standalone-Inbox',
        awsRegion: 'eu-central-1',
      },
    ]);
    await expect.poll(inInbox).toBe(0);
  });

  it('delivers a delayed message in time, although its sender has hung up', async () => {
    const { url, inbox, received, inInbox } = await start();
    // The emulator answers after it has taken the earlier receive.
    await inInbox();
    const body = JSON.stringify({ QueueUrl: inbox, MessageBody: 'late', DelaySeconds: 1 });
    const head = ['POST / HTTP/1.1', 'host: queues', 'x-amz-target: AmazonSQS.SendMessage'];
    head.push('content-type: application/x-amz-json-1.0', `content-length: ${body.length}`);
    const { hostname, port } = new URL(url);
    const socket = connect(Number(port), hostname, () => {
      socket.write(`${head.join('\r\n')}\r\n\r\n${body}`, () => socket.resetAndDestroy());
    });
    await expect.poll(() => received).toHaveLength(1);
    const { SentTimestamp, ApproximateFirstReceiveTimestamp } = received[0]?.Records[0]?.attributes ?? {};
    // A waiting receive ends after twenty seconds.
    expect(Number(ApproximateFirstReceiveTimestamp) - Number(SentTimestamp)).toBeLessThan(10_000);
  });

  it('delivers only the failed messages again, and moves them to the dead-letter queue in the end', async () => {
    const { send, bodies, inInbox, inDead } = await start(({ Records }) => ({
      batchItemFailures: Records.flatMap(({ body, messageId }) =>
        body === 'bad' ? [{ itemIdentifier: messageId }] : [],
      ),
    }));
    for (const body of ['bad', 'good']) await send(body);
    await expect.poll(inDead).toBe(1);
    expect(await inInbox()).toBe(0);
    expect(bodies().toSorted()).toEqual(['bad', 'bad', 'good']);
  });

  it.each([
    ['throws', () => Promise.reject(new Error('broken'))],
    ['names an unknown message', () => ({ batchItemFailures: [{ itemIdentifier: 'another' }] })],
  ])('delivers a message again to a function that %s', async (_, work) => {
    const { send, bodies } = await start(work);
    await send('one');
    await expect.poll(bodies).toEqual(['one', 'one']);
  });

  it('ends its wait for messages when the stack closes', async () => {
    const { poller } = await start();
    const startedAt = performance.now();
    await poller.close();
    // Half of the wait.
    expect(performance.now() - startedAt).toBeLessThan(10_000);
  });

  it('is rejected with a visibility timeout below the timeout of the function', async () => {
    const { url, mapping } = await start();
    const slow = { ...mapping, function: { ...mapping.function, timeoutMs: 2_000 } };
    await expect(checkMapping(url, slow)).rejects.toThrow(
      'Queue visibility timeout: 1 seconds is less than Function timeout: 2 seconds',
    );
  });

  /** https://docs.aws.amazon.com/lambda/latest/dg/invocation-recursion.html */
  it('is rejected for a function that may write to it, except with the recursive loop Allow', () => {
    const { mapping } = deployedQueues('http://127.0.0.1:1');
    const { name, key } = mapping.function;
    const permissions = [{ action: 'sqs:SendMessage', resource: mapping.queueArn }];
    const writers = new Map([[name, { function: key, arn: 'arn', permissions }]]);
    const checkOf =
      (recursiveLoop: object, identities: Parameters<typeof checkLoop>[0] = writers) =>
      () =>
        checkLoop(identities, { ...mapping, function: { ...mapping.function, ...recursiveLoop } });
    for (const unsupported of [{}, { recursiveLoop: 'Terminate' }])
      expect(checkOf(unsupported)).toThrow('Its RecursiveLoop must be Allow');
    expect(checkOf({ recursiveLoop: 'Allow' })).not.toThrow();
    expect(checkOf({}, new Map())).not.toThrow();
  });
});
