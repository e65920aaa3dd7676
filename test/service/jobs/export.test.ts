import { randomUUID } from 'node:crypto';
import { ulid } from 'ulid';
import { afterAll, beforeEach, describe, expect, it } from 'vitest';
import * as backend from '../../../lib/edge/backend/standalone.ts';
import type { Input, Output } from '../../../lib/contract/contract.ts';
import { csvHeader } from '../../../lib/service/jobs/csv.ts';
import { jobRunner } from '../../../lib/service/jobs/run-job.ts';
import type { Return } from '../../../lib/domain/returns/model/return.ts';
import { openSession } from '../../../lib/store/engine/session.ts';
import { transact } from '../../../lib/store/engine/transact.ts';
import type { ExportPartition } from '../../../lib/store/jobs/job.ts';
import { readJobPartition, readWholeJob, writeJob, writeJobPartition } from '../../../lib/store/jobs/jobs.ts';
import { readReturn, writeReturn } from '../../../lib/store/returns/returns.ts';
import { startEngines } from '../../shops/inbox/engines.ts';
import { backendCall } from '../../support/backend-call.ts';
import { liveThrough } from '../../support/life-of-backend.ts';
import { steps } from '../../support/life.ts';
import { inSoak } from '../../support/samples.ts';
import { ampleDeadline } from '../../support/time.ts';
import { parseCsv } from './parse-csv.ts';
import { hurried, workers } from './worker.ts';

const engines = await startEngines();

const { take, deliver, purge, workOff } = workers(engines.jobsUrl, jobRunner(backend));
const session = openSession(ampleDeadline());
afterAll(async () => {
  session[Symbol.dispose]();
  await engines.stop();
});
beforeEach(purge);

/** Creates a return with notes, a customer and received goods. */
const lived = async (): Promise<Return> => {
  let id = '';
  for await (const { reply } of liveThrough(backend, [steps.approve, steps.receive, steps.addNote]))
    ({ returnId: id } = reply.body as { returnId: string });
  const state = await readReturn(session, id);
  if (state === undefined) throw new Error('it is not there');
  return state;
};

const noon = Date.parse('2026-05-01T12:00:00Z');
/** Returns a return that was created the given seconds after noon. */
const copyOf = (state: Return, seconds: number, changes: Partial<Return> = {}): Return => {
  const createdAt = new Date(noon + seconds * 1000).toISOString();
  return { ...state, id: `ret_${ulid(noon + seconds * 1000)}`, createdAt, updatedAt: createdAt, ...changes };
};

const template = await lived();
const metadata = Object.fromEntries(Array.from({ length: 50 }, (_, index) => [`key${index}`, 'x'.repeat(1_600)]));
/** The length of an export in seconds. Each of its eight partitions has 128 of them. */
const seconds = 1_024;
/** Large returns in the first partition that fill more than one file, and two others in each partition. */
const large = Array.from({ length: 60 }, (_, index) => copyOf(template, index, { metadata }));
const small = Array.from({ length: 16 }, (_, index) =>
  copyOf(template, 63 + index * 64, { status: index < 4 ? 'rejected' : 'approved' }),
);
for (const state of [...large, ...small]) await transact(session, writeReturn(state, [], undefined));

const may = { from: '2026-05-01T12:00:00Z', until: new Date(noon + seconds * 1000).toISOString() };
const ids = (states: readonly Return[]): string[] => states.map(({ id }) => id).toSorted();

const begin = async (input: Partial<Input<'createExport'>>): Promise<string> => {
  const started = await backend.createExport({ format: 'ndjson', ...may, ...input }, backendCall());
  if (!started.ok) throw new Error(started.failure.detail);
  return started.value.body.jobId;
};

type ExportJob = Output<'createExport'>;
const jobOf = async (jobId: string): Promise<ExportJob> => {
  const read = await backend.getJob({ jobId }, backendCall());
  if (!read.ok || read.value.body.kind !== 'export') throw new Error('no such export');
  return read.value.body;
};

const contentOf = async ({ files = [] }: ExportJob): Promise<string[]> =>
  Promise.all(files.map(async ({ url }) => (await fetch(url)).text()));

/** Returns the returns in the files of a job. */
const returnsIn = async (job: ExportJob): Promise<(Output<'getReturn'> & object)[]> =>
  (await contentOf(job)).flatMap((text) =>
    text
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line) as Output<'getReturn'>),
  );

/** Returns a function that sets the job and its partitions back to their beginning. */
const rememberStart = async (jobId: string): Promise<() => Promise<void>> => {
  const wholeJob = async () => {
    const whole = await readWholeJob(session, jobId, Date.now());
    if (whole === undefined) throw new Error('the job is gone');
    return whole;
  };
  const started = await wholeJob();
  return async () => {
    const { job, parts } = await wholeJob();
    await transact(session, [
      writeJob({ ...job.value, status: 'open' }, job.version),
      ...parts.map(({ version }, index) =>
        writeJobPartition(jobId, started.parts[index]?.value as ExportPartition, version),
      ),
    ]);
  };
};

describe('export', () => {
  it('writes each return once, in files of a few megabytes, without personal data', async () => {
    const id = await begin({});
    expect(await jobOf(id)).toMatchObject({ status: 'queued', progress: { examined: 0, rows: 0 } });
    await workOff();
    const job = await jobOf(id);
    expect(job).toMatchObject({ status: 'done', progress: { examined: 76, rows: 76 } });
    const returns = await returnsIn(job);
    expect(returns.map((one) => one.returnId).toSorted()).toEqual(ids([...large, ...small]));
    expect(job.files?.map(({ name }) => name)).toEqual(['0-0.ndjson', 'merged-0.ndjson']);
    const contents = await contentOf(job);
    expect(job.files?.map(({ bytes }) => bytes)).toEqual(contents.map((text) => Buffer.byteLength(text)));
    expect(Math.max(...contents.map((text) => text.length))).toBeLessThan(4.1 * 1024 * 1024);
    expect(contents.join('')).not.toContain('marker');

    // As a writer sees it, without what is next.
    const noted = await backend.addNote({ returnId: template.id, text: 'no' }, { ...backendCall(), dryRun: true });
    const shown = (noted.ok && noted.value.body) as Output<'getReturn'>;
    const { allowedActions: _, nextStep: __, version: ___, updatedAt: ____, notes: _____, ...same } = shown;
    const one = returns.find((found) => found.returnId === small[8]?.id);
    expect({ ...one, createdAt: same.createdAt, returnId: same.returnId, status: same.status }).toMatchObject(same);
    expect(one).toMatchObject({ customer: template.customer, notes: [{ id: template.notes[0]?.id }] });
    expect(Object.keys(one?.notes[0] ?? {})).not.toContain('note');
  });

  it('signs a download of each file for a short time', async () => {
    const id = await begin({ status: 'rejected' });
    await workOff();
    const job = await jobOf(id);
    expect((await returnsIn(job)).map((one) => one.returnId).toSorted()).toEqual(ids(small.slice(0, 4)));
    for (const { url, expiresAt } of job.files ?? []) {
      expect(new URL(url).searchParams.get('response-content-disposition')).toMatch(
        /^attachment; filename="returns-all\.ndjson"$/,
      );
      expect(Date.parse(expiresAt)).toBeLessThanOrEqual(Date.now() + 300_000);
    }
  });

  it('includes returns created from its first instant until before its last', async () => {
    const [first, last] = [small[3], small[9]];
    const id = await begin({ from: first?.createdAt ?? '', until: last?.createdAt ?? '' });
    await workOff();
    expect((await returnsIn(await jobOf(id))).map((one) => one.returnId).toSorted()).toEqual(ids(small.slice(3, 9)));
  });

  it('writes one CSV row for each line of a return, with the same columns in each file', async () => {
    const id = await begin({ format: 'csv', from: small[0]?.createdAt ?? '' });
    await workOff();
    const job = await jobOf(id);
    const [names = []] = parseCsv(csvHeader);
    const rows = (await contentOf(job)).flatMap((text) => {
      const [header, ...lines] = parseCsv(text);
      expect(header).toEqual(names);
      return lines.map((cells) => Object.fromEntries(cells.map((cell, index) => [names[index], cell])));
    });
    expect(job.files?.map(({ name, rows: count }) => [name, count])).toEqual([['all.csv', rows.length]]);
    expect(job.progress.rows).toBe(rows.length);
    const expectedRows = small.flatMap((state) => state.lines.map((line) => [state.id, line.id].join(' ')));
    expect(rows.map(({ returnId, lineId }) => `${returnId} ${lineId}`).toSorted()).toEqual(expectedRows.toSorted());
    const [line] = template.lines;
    expect(rows.find(({ returnId, lineId }) => returnId === small[5]?.id && lineId === line?.id)).toMatchObject({
      platform: 'web',
      orderId: template.order.orderId,
      customerId: template.customer.id,
      status: 'approved',
      sku: line?.sku,
      requested: '2',
      received: String(line?.quantities.received),
      currency: 'EUR',
      gross: String(line?.amounts.gross.amount),
      refundedAmount: '0',
    });
  });

  it('continues in another worker when the time is over, and misses nothing', async () => {
    const id = await begin({});
    expect(await workOff(hurried)).toBeGreaterThan(1);
    const returns = await returnsIn(await jobOf(id));
    expect(returns.map((one) => one.returnId).toSorted()).toEqual(ids([...large, ...small]));
  });

  it('continues after a worker died, and duplicates nothing when messages arrive twice', async () => {
    const id = await begin({});
    const messages = await take();
    await deliver(messages, hurried);
    await purge();
    const failed = await deliver([...messages, ...messages]);
    const again = new Set(failed.map(({ itemIdentifier }) => itemIdentifier));
    await deliver(messages.filter(({ MessageId }) => again.has(MessageId ?? '')));
    await deliver(messages);
    const job = await jobOf(id);
    expect(job.status).toBe('done');
    expect((await returnsIn(job)).map((one) => one.returnId).toSorted()).toEqual(ids([...large, ...small]));
  });

  // The previous test also has a worker die, and reads the files.
  it.each(inSoak('writes the same files when a worker died before it recorded them'))('%s', async () => {
    const id = await begin({});
    const reset = await rememberStart(id);
    const messages = await take();
    await deliver(messages);
    const filesOf = async () =>
      (await jobOf(id)).files?.map(({ name, rows, bytes, url }) => [name, rows, bytes, new URL(url).pathname]);
    const first = await filesOf();
    await reset();
    await deliver(messages);
    expect(await filesOf()).toEqual(first);
    expect(first).toHaveLength(2);
  });

  it('merges again when a worker died before it ended the job', async () => {
    const id = await begin({ format: 'csv', from: small[0]?.createdAt ?? '' });
    const messages = await take();
    await deliver(messages);
    const keysOf = async () => (await jobOf(id)).files?.map(({ url }) => new URL(url).pathname);
    const first = await keysOf();
    expect(first).toHaveLength(1);
    const { job } = (await readWholeJob(session, id, Date.now())) ?? {};
    if (job?.value.kind !== 'export') throw new Error('no such export');
    const { merged: _, ...unmerged } = job.value;
    await transact(session, [writeJob({ ...unmerged, status: 'open' }, job.version)]);
    expect(await jobOf(id)).not.toHaveProperty('files');
    // Sends every message again at once. Each finds its partition done, and tries to end the job.
    await deliver(messages);
    await deliver(messages);
    expect(await keysOf()).toEqual(first);
  });

  it('stops at once after a cancellation, and shows no files', async () => {
    const id = await begin({});
    await deliver(await take(), hurried);
    expect((await jobOf(id)).status).toBe('running');
    expect(await backend.cancelJob({ jobId: id }, backendCall())).toMatchObject({ ok: true });
    const { progress } = await jobOf(id);
    await workOff();
    const job = await jobOf(id);
    expect(job).toMatchObject({ status: 'cancelled', progress });
    expect(job).not.toHaveProperty('files');
  });

  it('fails at once when it needs more files than a response can name', async () => {
    const id = await begin({});
    const part = await readJobPartition(session, id, 3);
    const file = { name: '3-0.ndjson', rows: 1, bytes: 1, digest: '0'.repeat(64) };
    const full = { ...(part?.value as ExportPartition), files: Array.from({ length: 125 }, () => file) };
    await transact(session, [writeJobPartition(id, full, part?.version ?? 0)]);
    await workOff();
    expect(await jobOf(id)).toMatchObject({ status: 'failed', failure: { code: 'too_large', part: 3 } });
  });

  it('returns 400 for a time in the future, and for a reversed period', async () => {
    const rejected = await backend.createExport({ format: 'csv', from: '2999-01-01T00:00:00Z' }, backendCall());
    expect(rejected).toMatchObject({ ok: false, failure: { errors: [{ path: '/from', code: 'maximum' }] } });
    const started = await backend.createExport({ format: 'csv', until: '2999-01-01T00:00:00Z' }, backendCall());
    const { until = '' } = (started.ok && started.value.body.request) as { until?: string };
    expect(Date.parse(until)).toBeLessThanOrEqual(Date.now());
  });

  it('starts once per key, and not in a dry run', async () => {
    const call = { ...backendCall(), idempotencyKey: randomUUID() };
    const [first, again] = [
      await backend.createExport({ format: 'csv', ...may }, call),
      await backend.createExport({ format: 'csv', ...may }, call),
    ];
    expect([again.ok && again.value.replayed, again.ok && again.value.body]).toEqual([
      true,
      first.ok && first.value.body,
    ]);
    const trial = await backend.createExport({ format: 'csv', ...may }, { ...backendCall(), dryRun: true });
    const jobId = trial.ok ? trial.value.body.jobId : '';
    expect(await backend.getJob({ jobId }, backendCall())).toMatchObject({ failure: { code: 'job_not_found' } });
  });
});
