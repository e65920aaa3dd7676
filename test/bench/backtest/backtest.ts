import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';
import type { Output } from '../../../lib/contract/contract.ts';
import { buildAndPackage } from '../../../lib/local/bundles.ts';
import { clientSettings } from '../../../lib/local/emulators/function-spec.ts';
import { startStack } from '../../../lib/local/stack.ts';
import type { Bench } from '../settings.ts';
import { adminTokenOf } from '../stack-token.ts';

type Job = Output<'backtestDraft'>;

const target = 60;
const seconds = (ms: number): string => (ms / 1000).toFixed(1);

/** Runs one backtest over HTTP on the local stack of `npm start`: seeds, starts the job, and waits for its end. */
const measure = async (decisions: number, report: (progress: string) => void) => {
  await buildAndPackage();
  const dataDir = await mkdtemp(join(tmpdir(), 'returns-bench-'));
  const stack = await startStack({ dataDir, streams: false });
  try {
    const { aws, standalone } = stack.info;
    const table = aws.tables['standalone.Table'] ?? '';
    process.env['TABLE_NAME'] = table;
    // The imported modules read the environment.
    const { phasesOf } = await import('./phases.ts');
    const { seed } = await import('./seeded.ts');
    const client = DynamoDBDocumentClient.from(new DynamoDBClient({ ...clientSettings, endpoint: aws.dynamodb }), {
      marshallOptions: { removeUndefinedValues: true },
    });
    const policyId = await seed(client, table, decisions);
    report(`${decisions} decisions seeded`);
    const headers = { authorization: `Bearer ${await adminTokenOf(stack.info)}`, 'content-type': 'application/json' };
    const startedAt = performance.now();
    const begun = await fetch(`${standalone.url}/v1/policies/${policyId}/draft/backtest`, {
      method: 'POST',
      headers: { ...headers, 'idempotency-key': 'bench' },
      body: '{}',
    });
    let job = (await begun.json()) as Job;
    while (job.status === 'queued' || job.status === 'running') {
      await sleep(200);
      job = (await (await fetch(`${standalone.url}/v1/jobs/${job.jobId}`, { headers })).json()) as Job;
    }
    const ms = performance.now() - startedAt;
    report(`${job.status}, ${job.progress.examined} decisions in ${seconds(ms)} s`);
    return { job, ms, phases: await phasesOf(client, table) };
  } finally {
    await stack.close();
    await rm(dataDir, { recursive: true, force: true });
  }
};

export const backtest: Bench = {
  summary: 'a backtest of a draft over stored decisions, by the workers of the local stack',
  packages: [],
  defaults: { rounds: 1, warmUp: 0, invocations: 100_000, seed: 0 },
  describe: ({ invocations }) =>
    `${invocations} decisions of 300 days compared with a draft, from the request until the job is done; all workers in one process, the engine in another`,
  run: async ({ invocations }, report) => {
    const { job, ms, phases } = await measure(invocations, report);
    const { compared, failures } = job.report;
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
          `seconds <= ${target}: ${ms <= target * 1000 ? 'met' : 'not met'}`,
        ],
        data: { status: job.status, examined: job.progress.examined, compared, ms, phases },
      },
    ];
  },
};
