import { cp, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { vi } from 'vitest';
import { deploy } from '../../lib/tools/template/cloudformation/deployment.ts';
import { functionSpecs, sharedEnvironment } from '../../lib/tools/local/emulators/functions.ts';
import type { StackInfo } from '../../lib/tools/local/stack-info.ts';
import { repairEvents } from '../../lib/service/outbox/repair-events.ts';
import { seeded } from '../support/seeded.ts';
import { audit } from '../support/audit.ts';
import { readTable, sortItems } from '../support/audit/stored.ts';
import { resetEnvironment, setEnvironment } from '../support/environment.ts';
import { lambda } from '../support/lambda.ts';
import { type OwnStack, startOwnStack } from '../support/own-stack.ts';
import { contextWith } from '../support/time.ts';
import {
  chainDifferences,
  counterDifferences,
  eventDifferences,
  listDifferences,
  published,
  storedEvents,
} from './checks.ts';
import { copyOnline, restoreAs, turnOnStream } from './engine-copy.ts';
import { runLoad, type LoadSettings } from './load.ts';
import { packagedTemplate } from '../support/bundles.ts';

/** The result of a drill. */
export type DrillReport = {
  readonly seed: number;
  /** Answered requests, and failures of the service. */
  readonly answers: number;
  readonly failures: readonly string[];
  /** Returns and history entries in the restored table, and entries that the copy did not get. */
  readonly returns: number;
  readonly entries: number;
  readonly lostEntries: number;
  /** Events that were stored and not sent at the copy: the repair sends them. */
  readonly gap: number;
  /** Events that were sent at the copy, and again after the restore, under their id. */
  readonly repeated: number;
  readonly copyMs: number;
  readonly restoreMs: number;
  readonly differences: readonly string[];
};

const restoredTable = 'returns-restored-table';
/** Older changes than this are no longer left to the stream. */
const streamMs = 660_000;

/** What the deployment keeps when its table is replaced: secrets, clients and files. */
const kept = ['secrets.json', 'identity-provider.json', 's3'];

/** Publishes the events whose stream records were lost. A restore takes longer than the stream's own delay. */
const repair = async (info: StackInfo): Promise<void> => {
  const template = await packagedTemplate('standalone');
  const parameters = info.parameters.standalone;
  const deployment = deploy(template, { mode: 'standalone', parameters, sqs: info.aws.sqs });
  setEnvironment({
    ...sharedEnvironment(functionSpecs(deployment)),
    AWS_ENDPOINT_URL_DYNAMODB: info.aws.dynamodb,
    AWS_ENDPOINT_URL_SQS: info.aws.sqs,
    AWS_ENDPOINT_URL_SECRETS_MANAGER: info.aws.secretsManager,
    AWS_ENDPOINT_URL_EVENTBRIDGE: info.aws.eventBridge,
  });
  vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + streamMs });
  try {
    for (let left = 1; left > 0;) left = (await repairEvents({}, contextWith())).published;
  } finally {
    resetEnvironment();
  }
};

const invokeOn = async (info: StackInfo, name: string, event: object): Promise<void> => {
  const { error } = await lambda('standalone', info)(name, event);
  if (error !== undefined) throw new Error(`${name}: ${error.errorMessage}`);
};

/** Runs one return through the restored deployment, up to its event from the new stream. */
const takeOne = async (restored: OwnStack): Promise<void> => {
  const next = restored.next((event) => event.type === 'published');
  await runLoad(restored.info, { random: () => 0, before: 1, after: 1 }, async () => undefined);
  await next;
};

/**
 * Runs the drill of lib/tools/guides/restore.md on this machine: load, an online copy, a restore under another name without
 * stream records, the adoption, the repair. Then it checks chains, counters and events.
 */
export const runDrill = async (seed: number, load: Omit<LoadSettings, 'random'>): Promise<DrillReport> => {
  const folder = await mkdtemp(join(tmpdir(), 'returns-drill-'));
  const file = join(folder, 'dynamodb.sqlite');
  const live = await startOwnStack({ modes: ['standalone'], streams: true });
  let restored: OwnStack | undefined;
  try {
    const table = live.info.aws.tables['standalone.Table'] ?? '';
    let copyMs = 0;
    let atCopy: ReturnType<typeof published> = [];
    const { answers, failures } = await runLoad(live.info, { random: seeded(seed), ...load }, async () => {
      const at = performance.now();
      await copyOnline(live.engine.file ?? '', file);
      copyMs = performance.now() - at;
      atCopy = published(live.events);
    });
    for (const name of kept) await cp(join(live.dataDir, name), join(folder, name), { recursive: true, force: true });
    const lived = storedEvents(sortItems(await readTable(live.info)));
    const before = published(live.events);

    const begin = performance.now();
    restoreAs(file, table, restoredTable);
    turnOnStream(file, restoredTable, new Date());
    restored = await startOwnStack({
      modes: ['standalone'],
      streams: true,
      existingTable: restoredTable,
      dataDir: folder,
    });
    const { info } = restored;
    const atStart = storedEvents(sortItems(await readTable(info)));
    await repair(info);
    await invokeOn(info, 'recountReturns', { from: new Date(Date.now() - 86_400_000).toISOString() });
    await invokeOn(info, 'reindexReturns', {});
    const restoreMs = performance.now() - begin;

    await takeOne(restored);
    await repair(info);
    await invokeOn(info, 'recountReturns', { from: new Date(Date.now() - 86_400_000).toISOString() });
    const items = await readTable(info);
    const stored = sortItems(items);
    const events = storedEvents(stored);
    const after = published(restored.events);
    const sentAtCopy = new Set(atCopy.map(({ id }) => id));
    return {
      seed,
      answers,
      failures,
      returns: stored.returns.size,
      entries: atStart.length,
      lostEntries: lived.length - atStart.length,
      gap: atStart.filter(({ id }) => !sentAtCopy.has(id)).length,
      repeated: after.filter(({ id }) => sentAtCopy.has(id)).length,
      copyMs: Math.round(copyMs),
      restoreMs: Math.round(restoreMs),
      differences: [
        ...audit(stored),
        ...(await chainDifferences(info, stored)),
        ...counterDifferences(items, stored),
        ...eventDifferences(events, { atCopy, before, after }),
        ...(await listDifferences(info, events)),
      ],
    };
  } finally {
    await restored?.close();
    await live.close();
    await rm(folder, { recursive: true, force: true });
  }
};

/** Returns the report of a drill as lines for a terminal. */
export const reportOf = (report: DrillReport): string =>
  [
    `drill, SEED=${report.seed}: ${report.answers} answers, ${report.failures.length} of them failures`,
    `  online copy in ${report.copyMs} ms: ${report.returns} returns, ${report.entries} entries; ` +
      `${report.lostEntries} entries are newer than the copy`,
    `  restored in ${report.restoreMs} ms: the repair sent ${report.gap} events for the first time, and ${report.repeated} again under their id`,
    report.differences.length === 0
      ? '  every chain verifies, every counter agrees, no event is lost or has a second id'
      : `  ${report.differences.length} differences:\n    ${report.differences.join('\n    ')}`,
  ].join('\n');
