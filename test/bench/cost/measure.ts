import { stat } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { InvokeCommand } from '@aws-sdk/client-lambda';
import { deploy } from '../../../lib/tools/template/cloudformation/deployment.ts';
import { readTemplate } from '../../../lib/tools/template/cloudformation/template.ts';
import type { ModeEvent, StackEvent } from '../../../lib/tools/local/events.ts';
import { startMode } from '../../../lib/tools/local/mode-process.ts';
import { startStack } from '../../../lib/tools/local/stack.ts';
import type { StackInfo } from '../../../lib/tools/local/stack-info.ts';
import { startReceiver } from '../../chaos/receiver.ts';
import { api } from '../../support/api.ts';
import { lambdaClient } from '../../support/lambda.ts';
import { endpointIn } from '../../support/webhook-endpoints.ts';
import { startMeter, type Metered } from '../../support/meter.ts';
import { liveOnce, type Sent } from './life.ts';
import { pricedByMonth, schedulesIn, tableBytes } from './stored.ts';
import type { Measured } from './table.ts';

/* Measures what a return consumes in the standalone mode, and what the schedules consume without returns. */

const mode = 'standalone' as const;
const template = 'dist/package/standalone/cloudformation-template-update-stack.json';

/** Without an invocation for this long, the stream and the queues are empty: the longest batch window is 5 s. */
const quietMs = 8_000;

/** The calls that Lambda makes, and no function. */
const free =
  /^(ListStreams|DescribeStream|GetShardIterator|GetRecords|DescribeTable|ReceiveMessage|GetQueueAttributes)$/;

/** Returns the number of calls that functions made. */
const callsIn = ({ calls }: Metered): number =>
  Object.entries(calls).reduce((sum, [name, count]) => sum + (free.test(name) ? 0 : count), 0);

/** Starts a standalone stack whose calls of AWS are counted, and whose functions log to one file. */
const startCounted = async (held: AsyncDisposableStack, dataDir: string, root: string) => {
  const spent = { invocations: 0, localMs: 0, busEvents: 0, last: Date.now() };
  const onStackEvent = ({ type }: StackEvent) => void (type === 'published' && (spent.busEvents += 1));
  const onEvent = (event: ModeEvent): void => {
    if (event.type !== 'invoked') return;
    spent.last = Date.now();
    spent.invocations += 1;
    spent.localMs += event.ms;
  };
  const { info: shared, close } = await startStack({ dataDir, root, fresh: true, modes: [], onEvent: onStackEvent });
  held.defer(close);
  const meter = await startMeter(shared.aws.dynamodb);
  held.defer(meter.close);
  const sqs = await startMeter(shared.aws.sqs);
  held.defer(sqs.close);
  const logFile = join(dataDir, 'logs/cost.log');
  const options = {
    mode,
    dataDir: join(dataDir, 'cost'),
    root,
    template: join(root, template),
    aws: { ...shared.aws, dynamodb: meter.origin, sqs: sqs.origin },
    streams: true,
    schedules: false,
    events: true,
    timeScale: 4,
    ports: { api: 0, hooks: 0, lambda: 0 },
    parameters: shared.parameters.standalone,
  };
  const { urls, stop } = await startMode(options, logFile, onEvent);
  held.defer(stop);
  const info: StackInfo = {
    ...shared,
    standalone: { url: urls.api, hooksUrl: urls.hooks, lambdaUrl: urls.lambda },
  };
  return { info, logFile, spent, meter, sqs };
};

/** Starts a stack with an endpoint of webhooks, and returns what takes its consumption. */
const startMeasured = async (held: AsyncDisposableStack, dataDir: string, root: string) => {
  const { info, logFile, spent, meter, sqs } = await startCounted(held, dataDir, root);
  const receiver = await startReceiver();
  held.defer(receiver.close);
  const subscription = { url: `${receiver.origin}/`, eventTypes: ['*'] };
  const endpoint = endpointIn(await api(mode, info).post('/webhook-endpoints', subscription));
  receiver.trust(endpoint.secret ?? '');
  return {
    info,
    logFile,
    deployment: deploy(await readTemplate(join(root, template)), {
      mode,
      parameters: info.parameters.standalone,
      sqs: info.aws.sqs,
    }),
    /** Waits until all work has ended. */
    quiet: async (): Promise<void> => {
      spent.last = Date.now();
      while (Date.now() - spent.last < quietMs) await pause(500);
    },
    /** Returns what was consumed since the last call, and the sizes of the log, the webhooks and the table. */
    take: async () => {
      const metered = meter.take();
      const sqsRequests = callsIn(sqs.take());
      const { last: _, ...used } = spent;
      Object.assign(spent, { invocations: 0, localMs: 0, busEvents: 0 });
      const units = { writeUnits: metered.write, readUnits: metered.read, sqsRequests };
      const log = (await stat(logFile)).size;
      const awsCalls = callsIn(metered) + sqsRequests;
      return { ...units, awsCalls, ...used, log, webhooks: receiver.bytes(), stored: await tableBytes(info) };
    },
  };
};

/** Changes each of these figures. */
const eachOf = <Name extends string>(figures: Readonly<Record<Name, number>>, change: (value: number) => number) =>
  Object.fromEntries(Object.entries<number>(figures).map(([name, value]) => [name, change(value)])) as Record<
    Name,
    number
  >;

type Running = Awaited<ReturnType<typeof startMeasured>>;

/** Measures returns, after two that are not measured. */
const measureReturns = async ({ info, quiet, take }: Running, returns: number): Promise<Measured['perReturn']> => {
  const service = api(mode, info);
  const sent: Sent = { requests: 0, bytes: 0 };
  for (let count = 0; count < 2; count += 1) await liveOnce(service, { requests: 0, bytes: 0 });
  await quiet();
  const before = await take();
  for (let count = 0; count < returns; count += 1) await liveOnce(service, sent);
  await quiet();
  const { log, webhooks, stored, ...used } = await take();
  const sums = {
    apiRequests: sent.requests,
    ...used,
    logBytes: log - before.log,
    sentBytes: sent.bytes + webhooks - before.webhooks,
    storedBytes: stored - before.stored,
  };
  return eachOf(sums, (sum) => Math.round((sum / returns) * 10) / 10);
};

/** Measures one run of each schedule, and returns the consumption of a month. */
const measureSchedules = async ({ info, logFile, quiet, take, deployment }: Running): Promise<Measured['perMonth']> => {
  const client = lambdaClient(mode, info);
  const fixed = { scheduledRuns: 0, localMs: 0, awsCalls: 0, writeUnits: 0, readUnits: 0, logBytes: 0 };
  for (const [FunctionName, runs] of schedulesIn(deployment)) {
    const invoke = async () =>
      client.send(new InvokeCommand({ FunctionName, Payload: JSON.stringify({ time: new Date().toISOString() }) }));
    // The first run works through the returns, and starts the container.
    await invoke();
    await quiet();
    const before = await take();
    const { FunctionError } = await invoke();
    if (FunctionError !== undefined) throw new Error(`${FunctionName} failed`);
    const { log, ...run } = await take();
    fixed.scheduledRuns += runs;
    for (const name of ['localMs', 'awsCalls', 'writeUnits', 'readUnits'] as const) fixed[name] += runs * run[name];
    fixed.logBytes += runs * (log - before.log);
  }
  client.destroy();
  return { ...eachOf(fixed, Math.round), ...(await pricedByMonth(deployment, logFile)) };
};

/** Measures on a stack of its own. */
export const measure = async (dataDir: string, root: string, returns: number): Promise<Measured> => {
  await using held = new AsyncDisposableStack();
  const running = await startMeasured(held, dataDir, root);
  console.error(`Measuring ${returns} returns.`);
  const perReturn = await measureReturns(running, returns);
  console.error('Measuring the schedules.');
  return { perReturn, perMonth: await measureSchedules(running) };
};
