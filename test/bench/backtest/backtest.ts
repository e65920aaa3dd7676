import { setTimeout as sleep } from 'node:timers/promises';
import { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';
import type { Output } from '../../../lib/contract/contract.ts';
import { clientSettings } from '../../../lib/tools/local/emulators/function-spec.ts';
import { openStack } from '../own-stack.ts';
import type { Bed, Bench } from '../settings.ts';
import { compareWithTarget } from '../targets.ts';

type Job = Output<'backtestDraft'>;

const seconds = (ms: number): string => (ms / 1000).toFixed(1);

/** Runs one backtest over HTTP on a local stack: seeds, starts the job, and waits for its end. */
const measure = async ({ settings: { invocations: decisions }, report, held }: Bed) => {
  const { info, token } = await openStack(held);
  const { aws, standalone } = info;
  const table = aws.tables['standalone.Table'] ?? '';
  process.env['TABLE_NAME'] = table;
  // The imported modules read the environment.
  const { phasesOf, seedDecisions } = await import('./phases.ts');
  const client = DynamoDBDocumentClient.from(new DynamoDBClient({ ...clientSettings, endpoint: aws.dynamodb }), {
    marshallOptions: { removeUndefinedValues: true },
  });
  const policyId = await seedDecisions(client, table, decisions);
  report(`${decisions} decisions seeded`);
  const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json', 'idempotency-key': 'bench' };
  const ask = async (path: string, request: RequestInit = {}): Promise<Job> =>
    (await (await fetch(`${standalone.url}/v1/${path}`, { ...request, headers })).json()) as Job;
  const startedAt = performance.now();
  let job = await ask(`policies/${policyId}/draft/backtest`, { method: 'POST', body: '{}' });
  while (job.status === 'queued' || job.status === 'running') {
    await sleep(200);
    job = await ask(`jobs/${job.jobId}`);
  }
  const ms = performance.now() - startedAt;
  report(`${job.status}, ${job.progress.examined} decisions in ${seconds(ms)} s`);
  return { job, ms, phases: await phasesOf(client, table) };
};

export const backtest: Bench = {
  summary: 'a backtest of a draft over stored decisions, by the workers of the local stack',
  packages: [],
  defaults: { rounds: 1, warmUp: 0, invocations: 100_000, seed: 0 },
  unbuilt: true,
  describe: ({ invocations }) =>
    `${invocations} decisions of 300 days compared with a draft, from the request until the job is done; all workers in one process, the engine in another`,
  run: async (bed) => {
    const { job, ms, phases } = await measure(bed);
    const { compared, failures } = job.report;
    const { invocations } = bed.settings;
    return [
      {
        title: `backtest of ${invocations} decisions`,
        table: [
          ['', 'seconds', 'microseconds a decision'],
          ['whole', seconds(ms), ((1000 * ms) / invocations).toFixed(0)],
          ...Object.entries(phases).map(([name, each]) => [`${name}, one after the other`, '', each.toFixed(0)]),
        ],
        remarks: [
          `${job.status}: ${compared} compared, ${failures.length} kinds of failures`,
          compareWithTarget({ what: 'seconds', maximum: 60 }, ms / 1000),
        ],
      },
    ];
  },
};
