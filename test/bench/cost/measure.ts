import { randomUUID } from 'node:crypto';
import { readFile, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { buffer } from 'node:stream/consumers';
import { DynamoDBClient, ScanCommand, type AttributeValue } from '@aws-sdk/client-dynamodb';
import { InvokeCommand } from '@aws-sdk/client-lambda';
import { alarmsOf } from '../../../lib/deploy/alarms/alarms.ts';
import type { Signal } from '../../../lib/deploy/alarms/alarm.ts';
import { deploy, type Deployment } from '../../../lib/local/cloudformation/deployment.ts';
import { readTemplate } from '../../../lib/local/cloudformation/template.ts';
import { clientSettings } from '../../../lib/local/emulators/function-spec.ts';
import type { ModeEvent } from '../../../lib/local/events.ts';
import { openClosers } from '../../../lib/local/json-file.ts';
import { startMode } from '../../../lib/local/mode-process.ts';
import { timingOf } from '../../../lib/local/schedules/schedules.ts';
import { startStack } from '../../../lib/local/stack.ts';
import type { StackInfo } from '../../../lib/local/stack-info.ts';
import { parseObject } from '../../../lib/runtime/json.ts';
import { startReceiver } from '../../chaos/receiver.ts';
import { api, type Api } from '../../support/api.ts';
import { lambdaClient } from '../../support/lambda.ts';
import { endpointIn } from '../../support/webhook-endpoints.ts';
import { serve } from '../server.ts';
import { startMeter } from '../service/meter.ts';
import type { Measured, PerMonth } from './table.ts';

/* Measures what a return consumes in the standalone mode, and what the schedules consume without returns. */

const monthMs = 30 * 86_400_000;
/** Without an invocation for this long, the stream and the queues are empty: the longest batch window is 5 s. */
const quietMs = 8_000;

/** Returns the number of metrics that an alarm reads. */
const metricCount = (signal: Signal): number =>
  signal.kind === 'sum' ? signal.metrics.length : signal.kind === 'metric' ? 1 : 2;

/** Counts the requests of a service other than receives, and passes them on. */
const startCounter = async (upstream: string) => {
  let count = 0;
  const server = await serve(async (request, response) => {
    const target = String(request.headers['x-amz-target'] ?? '');
    if (!target.endsWith('.ReceiveMessage') && !target.endsWith('.GetQueueAttributes')) count += 1;
    const headers = Object.entries(request.headers).filter(([name]) =>
      /^(authorization|content-type|x-amz-)/.test(name),
    );
    const answer = await fetch(`${upstream}${request.url}`, {
      method: 'POST',
      headers: headers.map(([name, value]): [string, string] => [name, String(value)]),
      body: await buffer(request),
    });
    const type = answer.headers.get('content-type') ?? 'application/x-amz-json-1.0';
    response.writeHead(answer.status, { 'content-type': type }).end(await answer.text());
  });
  return {
    ...server,
    /** Returns the number of requests since the last call. */
    take: (): number => {
      const taken = count;
      count = 0;
      return taken;
    },
  };
};

/** https://docs.aws.amazon.com/amazondynamodb/latest/developerguide/CapacityUnitCalculations.html */
const bytesOf = (value: AttributeValue): number => {
  if (value.S !== undefined) return Buffer.byteLength(value.S);
  if (value.N !== undefined) return Math.ceil(value.N.length / 2) + 1;
  if (value.B !== undefined) return value.B.length;
  if (value.M !== undefined) return 3 + itemBytes(value.M);
  if (value.L !== undefined) return 3 + value.L.reduce((sum, one) => sum + 1 + bytesOf(one), 0);
  return 1;
};

const itemBytes = (item: Readonly<Record<string, AttributeValue>>): number =>
  Object.entries(item).reduce((sum, [name, value]) => sum + Buffer.byteLength(name) + bytesOf(value), 0);

/** Returns the bytes of all items of the table. */
const tableBytes = async ({ aws }: StackInfo): Promise<number> => {
  const client = new DynamoDBClient({ ...clientSettings, endpoint: aws.dynamodb });
  let bytes = 0;
  try {
    let ExclusiveStartKey: Record<string, AttributeValue> | undefined;
    do {
      const page = await client.send(
        new ScanCommand({ TableName: aws.tables['standalone.Table'], ...(ExclusiveStartKey && { ExclusiveStartKey }) }),
      );
      bytes += (page.Items ?? []).reduce((sum, item) => sum + itemBytes(item), 0);
      ExclusiveStartKey = page.LastEvaluatedKey;
    } while (ExclusiveStartKey !== undefined);
    return bytes;
  } finally {
    client.destroy();
  }
};

type Sent = { requests: number; bytes: number };

/** Takes one return from its order to its end, with the reads of a shop, and counts requests and bytes. */
const liveOnce = async (service: Api, sent: Sent): Promise<void> => {
  const count = ({ status, body }: Awaited<ReturnType<Api['get']>>) => {
    if (status >= 300) throw new Error(`a request of the measured return answers ${status} ${JSON.stringify(body)}`);
    sent.requests += 1;
    sent.bytes += Buffer.byteLength(JSON.stringify(body));
    return body;
  };
  const orderId = randomUUID();
  const amount = { amount: 1999, currency: 'EUR' };
  const lines = [{ lineId: '1', sku: 'SHIRT-M', quantity: 2, unitPrice: amount }];
  count(await service.put(`/orders/web/${orderId}`, { currency: 'EUR', observedAt: new Date().toISOString(), lines }));
  const {
    returnId,
    lines: [line],
  } = count(
    await service.post('/returns', {
      order: { platform: 'web', orderId },
      lines: [{ orderLineId: '1', quantity: 1, reason: { code: 'fit.too_small' } }],
    }),
  );
  const path = `/returns/${returnId}`;
  const units = [{ lineId: line?.lineId, quantity: 1 }];
  count(await service.post(`${path}/approve`));
  count(await service.post(`${path}/parcels`, { carrier: 'dhl', trackingNumber: `JJD${orderId.slice(0, 8)}` }));
  count(await service.get(path));
  count(await service.post(`${path}/receipts`, { lines: units }));
  const inspected = units.map((one) => ({ ...one, outcome: 'accept', disposition: 'restock' }));
  count(await service.post(`${path}/inspections`, { lines: inspected }));
  const { hash } = count(await service.post('/quotes', { returnId }));
  const {
    refunds: [refund],
  } = count(await service.post(`${path}/refunds`, { quoteHash: hash }));
  for (const status of ['submitted', 'succeeded'])
    count(await service.post(`${path}/refunds/${refund?.refundId}/result`, { status }));
  count(await service.post(`${path}/complete`));
  count(await service.get(path));
  count(await service.get(`${path}/history`));
  count(await service.get(`/returns?platform=web&orderId=${orderId}`));
};

/** Returns the runs of a schedule in a month. */
const runsOf = (expression: string): number => {
  const timing = timingOf(expression);
  if (timing === undefined) throw new Error(`the schedule ${expression} is unknown`);
  if (timing.kind === 'rate') return monthMs / timing.periodMs;
  const { everyMinutes, hour } = timing;
  return everyMinutes !== undefined
    ? monthMs / (everyMinutes * 60_000)
    : monthMs / (hour === undefined ? 3.6e6 : 864e5);
};

const schedulesOf = (deployment: Deployment): readonly (readonly [string, number])[] =>
  deployment.ofType('AWS::Scheduler::Schedule').map(({ properties }) => {
    const { ScheduleExpression, Target } = properties as {
      readonly ScheduleExpression: string;
      readonly Target: { readonly Arn: string };
    };
    return [Target.Arn, runsOf(ScheduleExpression)] as const;
  });

type MetricLog = {
  readonly _aws?: {
    readonly CloudWatchMetrics: readonly {
      readonly Metrics: readonly { readonly Name: string }[];
      readonly Dimensions: readonly (readonly string[])[];
    }[];
  };
} & Readonly<Record<string, unknown>>;

/** Returns the number of custom metrics in a log: each name with each value of its dimensions. */
const metricsIn = async (logFile: string): Promise<number> => {
  const lines = (await readFile(logFile, 'utf8')).split('\n').filter((line) => line.includes('"_aws"'));
  const metrics = lines.flatMap((line) => {
    const { _aws, ...values } = (parseObject(line.slice(line.indexOf('{'))) ?? {}) as MetricLog;
    return (_aws?.CloudWatchMetrics ?? []).flatMap(({ Metrics, Dimensions }) =>
      Metrics.flatMap(({ Name }) =>
        Dimensions.map((names) => [Name, ...names.map((name) => String(values[name]))].join(' ')),
      ),
    );
  });
  return new Set(metrics).size;
};

/** Returns the number of event source mappings that read a queue: Lambda's reads of a stream are free. */
const queuesIn = (deployment: Deployment): number =>
  deployment
    .ofType('AWS::Lambda::EventSourceMapping')
    .filter(({ properties }) => !String(properties['EventSourceArn']).startsWith('arn:aws:dynamodb:')).length;

export type MeasureOptions = {
  readonly dataDir: string;
  readonly root: string;
  /** Returns that are measured, after two that are not. */
  readonly returns: number;
  readonly say: (text: string) => void;
};

/** Measures on a stack of its own. */
export const measure = async ({ dataDir, root, returns, say }: MeasureOptions): Promise<Measured> => {
  const closers = openClosers();
  try {
    let busEvents = 0;
    const stack = await startStack({
      dataDir,
      root,
      fresh: true,
      modes: [],
      onEvent: ({ type }) => void (type === 'published' && (busEvents += 1)),
    });
    closers.add(stack.close);
    const { aws, parameters } = stack.info;
    const meter = await startMeter(aws.dynamodb);
    closers.add(meter.close);
    const sqs = await startCounter(aws.sqs);
    closers.add(sqs.close);
    const template = join(root, 'dist/package/standalone/cloudformation-template-update-stack.json');
    const deployment = deploy(await readTemplate(template), {
      mode: 'standalone',
      parameters: parameters.standalone,
      sqs: aws.sqs,
    });
    let last = Date.now();
    const spent = { invocations: 0, ms: 0 };
    const onEvent = (event: ModeEvent): void => {
      if (event.type !== 'invoked') return;
      last = Date.now();
      spent.invocations += 1;
      spent.ms += event.ms;
    };
    const logFile = join(dataDir, 'logs/cost.log');
    const mode = await startMode(
      {
        mode: 'standalone',
        dataDir: join(dataDir, 'cost'),
        root,
        template,
        aws: { ...aws, dynamodb: meter.origin, sqs: sqs.origin },
        streams: true,
        schedules: false,
        events: true,
        timeScale: 4,
        ports: { api: 0, hooks: 0, lambda: 0 },
        parameters: parameters.standalone,
      },
      logFile,
      onEvent,
    );
    closers.add(mode.stop);
    const { api: url, hooks: hooksUrl, lambda: lambdaUrl } = mode.urls;
    const info: StackInfo = { ...stack.info, standalone: { url, hooksUrl, lambdaUrl } };
    const service = api('standalone', info);
    const receiver = await startReceiver();
    closers.add(receiver.close);
    const endpoint = endpointIn(
      await service.post('/webhook-endpoints', { url: `${receiver.origin}/`, eventTypes: ['*'] }),
    );
    receiver.trust(endpoint.secret ?? '');

    const quiet = async (): Promise<void> => {
      last = Date.now();
      while (Date.now() - last < quietMs) await pause(500);
    };
    const logSize = async (): Promise<number> => (await stat(logFile)).size;
    /** Forgets what was consumed so far. */
    const begin = async () => {
      await quiet();
      [spent.invocations, spent.ms, busEvents] = [0, 0, 0];
      meter.take();
      sqs.take();
      return { log: await logSize(), webhooks: receiver.bytes(), stored: await tableBytes(stack.info) };
    };
    const counted = new Set(['ListStreams', 'DescribeStream', 'GetShardIterator', 'GetRecords', 'DescribeTable']);
    const callsIn = (calls: Readonly<Record<string, number>>): number =>
      Object.entries(calls).reduce((sum, [name, count]) => (counted.has(name) ? sum : sum + count), 0);

    const sent: Sent = { requests: 0, bytes: 0 };
    for (let count = 0; count < 2; count += 1) await liveOnce(service, { requests: 0, bytes: 0 });
    const before = await begin();
    say(`Measuring ${returns} returns.`);
    for (let count = 0; count < returns; count += 1) await liveOnce(service, sent);
    await quiet();
    const metered = meter.take();
    const sqsRequests = sqs.take();
    const events = busEvents;
    const used = { ...spent };
    const each = (value: number): number => Math.round((value / returns) * 10) / 10;
    const perReturn = {
      apiRequests: each(sent.requests),
      invocations: each(used.invocations),
      localMs: each(used.ms),
      awsCalls: each(callsIn(metered.calls) + sqsRequests),
      writeUnits: each(metered.write),
      readUnits: each(metered.read),
      sqsRequests: each(sqsRequests),
      busEvents: each(events),
      logBytes: each((await logSize()) - before.log),
      sentBytes: each(sent.bytes + receiver.bytes() - before.webhooks),
      storedBytes: each((await tableBytes(stack.info)) - before.stored),
    };

    say('Measuring the schedules.');
    const client = lambdaClient('standalone', info);
    closers.add(async () => client.destroy());
    const fixed = { scheduledRuns: 0, localMs: 0, awsCalls: 0, writeUnits: 0, readUnits: 0, logBytes: 0 };
    for (const [FunctionName, runs] of schedulesOf(deployment)) {
      const invoke = async () =>
        client.send(new InvokeCommand({ FunctionName, Payload: JSON.stringify({ time: new Date().toISOString() }) }));
      // The first run works through the returns, and starts the container.
      await invoke();
      const { log } = await begin();
      const { FunctionError } = await invoke();
      if (FunctionError !== undefined) throw new Error(`${FunctionName} failed`);
      const run = meter.take();
      fixed.scheduledRuns += runs;
      fixed.localMs += runs * spent.ms;
      fixed.awsCalls += runs * (callsIn(run.calls) + sqs.take());
      fixed.writeUnits += runs * run.write;
      fixed.readUnits += runs * run.read;
      fixed.logBytes += runs * ((await logSize()) - log);
    }
    const perMonth: PerMonth = {
      ...(Object.fromEntries(Object.entries(fixed).map(([name, value]) => [name, Math.round(value)])) as typeof fixed),
      queues: queuesIn(deployment),
      // An alarm costs as much as it has metrics.
      alarms: alarmsOf('standalone')
        .filter(({ condition }) => condition === undefined)
        .reduce((total, { signal }) => total + metricCount(signal), 0),
      metrics: await metricsIn(logFile),
      secrets: deployment.ofType('AWS::SecretsManager::Secret').length,
    };
    return { perReturn, perMonth };
  } finally {
    await closers.close();
  }
};
