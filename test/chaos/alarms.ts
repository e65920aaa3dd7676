import { readFile } from 'node:fs/promises';
import { GetQueueAttributesCommand, SQSClient } from '@aws-sdk/client-sqs';
import { capitalised } from '../../lib/tools/template/resources/cloudformation.ts';
import { rowsOf } from '../../lib/tools/template/functions.ts';
import { alarmsOf } from '../../lib/tools/template/alarms/alarms.ts';
import { clientSettings } from '../../lib/tools/local/emulators/function-spec.ts';
import { parseObject } from '../../lib/runtime/json.ts';
import type { ModeName } from './plan.ts';
import type { World } from './world.ts';
import { offers } from '../../lib/tools/template/offer.ts';

/* The alarms that a run would have raised, by the tables of lib/tools/deploy: the local stack has no CloudWatch. */

const modes: readonly ModeName[] = ['connected', 'standalone'];

/** The metrics of the functions on which an alarm rings above a threshold. */
const watchedMetrics = new Set(
  modes
    .flatMap((mode) => alarmsOf(offers[mode]))
    .flatMap(({ signal, rings = 'above' }) => {
      const isOwn = signal.kind === 'metric' && signal.metric.namespace === 'Returns' && rings === 'above';
      return isOwn ? [signal.metric.name] : [];
    }),
);

/** Returns the number of messages in each dead-letter queue that is not empty, by `<mode>.<queue>`. */
const deadLettersOf = async ({ info: { aws } }: World): Promise<ReadonlyMap<string, number>> => {
  const client = new SQSClient({ ...clientSettings, endpoint: aws.sqs });
  try {
    const found = await Promise.all(
      Object.entries(aws.queues)
        .filter(([name]) => name.endsWith('DeadLetters'))
        .map(async ([name, QueueUrl]): Promise<[string, number]> => {
          const AttributeNames = ['ApproximateNumberOfMessages' as const];
          const { Attributes } = await client.send(new GetQueueAttributesCommand({ QueueUrl, AttributeNames }));
          return [name, Number(Attributes?.['ApproximateNumberOfMessages'] ?? 0)];
        }),
    );
    return new Map(found.filter(([, count]) => count > 0));
  } finally {
    client.destroy();
  }
};

/** Returns the metrics above 0 that the functions of a log have written. */
const metricsIn = async (logFile: string): Promise<ReadonlySet<string>> => {
  const lines = (await readFile(logFile, 'utf8')).split('\n').filter((line) => line.includes('"_aws"'));
  return new Set(
    lines.flatMap((line) => {
      const values = parseObject(line.slice(line.indexOf('{'))) ?? {};
      return [...watchedMetrics].filter((name) => Number(values[name]) > 0);
    }),
  );
};

/**
 * Returns the alarms that rang, as `<mode>.<alarm>`. An alarm on errors of a function needs several failed periods in
 * AWS; one failed run counts here, so the list is the upper bound.
 */
export const ringingAlarms = async (world: World): Promise<ReadonlySet<string>> => {
  const queues = [...(await deadLettersOf(world)).keys()].map((name) => `${name}Alarm`);
  const failed = new Set(
    world.invoked.filter(({ error }) => error !== undefined).map((one) => `${one.mode}.${one.function}`),
  );
  const functions = modes.flatMap((mode) =>
    rowsOf(offers[mode])
      .filter(([name, { alarm }]) => alarm !== undefined && failed.has(`${mode}.${name}`))
      .map(([name]) => `${mode}.${capitalised(name)}Alarm`),
  );
  const metrics = await Promise.all(
    world.logs.map(async (file) => {
      const mode = modes.find((one) => file.includes(`${one}-chaos`)) ?? 'standalone';
      return [...(await metricsIn(file))].map((name) => `${mode}.${name}Alarm`);
    }),
  );
  return new Set([...queues, ...functions, ...metrics.flat()].toSorted());
};
