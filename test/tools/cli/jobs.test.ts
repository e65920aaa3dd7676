import { createHash } from 'node:crypto';
import { readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import type { Output } from '../../../lib/contract/contract.ts';
import { api } from '../../support/api.ts';
import { exampleAnswer } from '../../support/example-answer.ts';
import { createPolicy } from '../../support/policies.ts';
import { createReturn } from '../../support/scenario.ts';
import { oneMode, sample } from '../../support/samples.ts';
import { fakeService, json, onStack, returns, temporaryFolder } from './harness.ts';

const jobId = 'job_01KAJ4C2Z8QW4T6R2M5N7P0XYB';

describe.each(oneMode('connected'))('jobs from the command line on the %s mode', (mode) => {
  const env = onStack(mode);

  it('runs a backtest to its end and prints the report', async () => {
    const { policyId } = await createPolicy(api(mode));
    const { code, out } = await returns(['policies', 'backtest', policyId, '--limit', '10', '--json'], { env });
    expect([code, JSON.parse(out)]).toEqual([0, expect.objectContaining({ kind: 'backtest', status: 'done' })]);
  });

  it('exports returns into complete files, and replaces them only with --yes', async () => {
    const { id, answer } = await createReturn(api(mode));
    const { createdAt } = answer.body as unknown as Output<'createReturn'>;
    await using folder = await temporaryFolder();
    const args = ['export', '--format', 'ndjson', '--from', createdAt, '--out', folder.path, '--json'];
    const exported = await returns(args, { env });
    const { jobId: job, files } = JSON.parse(exported.out) as { jobId: string; files: string[] };
    expect([exported.code, (await readdir(folder.path)).map((name) => join(folder.path, name))]).toEqual([0, files]);
    const texts = await Promise.all(files.map((file) => readFile(file, 'utf8')));
    expect(texts.join('')).toContain(id);
    const again = await returns(['jobs', 'download', job, '--out', folder.path], { env });
    expect([again.code, again.error]).toEqual([1, expect.stringContaining('--yes')]);
    expect(await returns(['jobs', 'download', job, '--out', folder.path, '--yes'], { env })).toMatchObject({ code: 0 });
    const waited = await returns(['jobs', 'wait', job, '--json'], { env });
    expect([waited.code, JSON.parse(waited.out)]).toEqual([0, expect.objectContaining({ status: 'done' })]);
  });

  it('runs a bulk command to its end, and ends with 1 when a return is rejected', async () => {
    const { id } = await createReturn(api(mode));
    const run = async (returnId: string) => {
      const items = JSON.stringify([{ returnId }]);
      const args = ['bulk-commands', 'create', '--command', 'approve', '--items', items, '--json'];
      const { code, out } = await returns(args, { env });
      return [code, JSON.parse(out)];
    };
    const results = [{ returnId: id, outcome: 'succeeded', version: 2, status: 'approved' }];
    expect(await run(id)).toEqual([0, expect.objectContaining({ status: 'done', results })]);
    const refused = { progress: { succeeded: 0, refused: 1, failed: 0 } };
    expect(await run(id)).toEqual([1, expect.objectContaining(refused)]);
  });

  it('starts a job without waiting for it with --no-wait', async () => {
    const started = await returns(['export', '--format', 'csv', '--no-wait', '--json'], { env });
    expect([started.code, JSON.parse(started.out)]).toEqual([0, expect.objectContaining({ status: 'queued' })]);
  });
});

/** A service whose job is done, with these files. */
const doneJob = (files: readonly object[]) =>
  json(200, exampleAnswer('getJob', { jobId, kind: 'export', status: 'done', files, progress: {} }));

describe('download of an export', () => {
  const content = 'a,b\n1,2\n';

  it('repeats after a reset and an expired URL, with the URL of a second read', async () => {
    let reads = 0;
    let tries = 0;
    await using fake = await fakeService(({ path }) => {
      if (path.startsWith('/v1/jobs/')) {
        reads += 1;
        const url = `${fake.service.origin}/files/${reads}`;
        return doneJob([{ name: 'returns-1.csv', url, bytes: content.length }]);
      }
      tries += 1;
      if (tries === 1) return 'reset';
      return tries === 2 ? { status: 403, body: 'expired' } : { status: 200, body: content };
    });
    await using folder = await temporaryFolder();
    const { code } = await returns(['jobs', 'download', jobId, '--out', folder.path], { env: fake.env });
    expect([code, await readFile(join(folder.path, 'returns-1.csv'), 'utf8')]).toEqual([0, content]);
    expect(fake.service.requests.map(({ path }) => path)).toContain('/files/3');
  });

  it.each(
    sample(
      [
        ['a file that stays away', { status: 503, body: '' }, 'status_503'],
        ['a file that is too short', { status: 200, body: 'a' }, ''],
        ['a file that is too long', { status: 200, body: `${content}more` }, ''],
      ] as const,
      3,
      1,
    ),
  )('ends with 4 and leaves no part for %s', async (_, answer, cause) => {
    await using fake = await fakeService(({ path }) =>
      path.startsWith('/v1/jobs/')
        ? doneJob([{ name: 'returns-1.csv', url: `${fake.service.origin}/files/1`, bytes: content.length }])
        : answer,
    );
    await using folder = await temporaryFolder();
    const { code, error } = await returns(['jobs', 'download', jobId, '--out', folder.path], { env: fake.env });
    expect([code, await readdir(folder.path)]).toEqual([4, []]);
    expect(error).toContain(cause);
    expect(error).toContain(`returns jobs download ${jobId}`);
  });

  it.each(sample(['../escape.csv', '/etc/escape', '.hidden', 'a\u001b]0;title\u0007'], 2))(
    'stores nothing for a file name of the service that leads elsewhere: %j',
    async (name) => {
      await using fake = await fakeService(({ path }) =>
        path.startsWith('/v1/jobs/')
          ? doneJob([{ name, url: `${fake.service.origin}/files/1`, bytes: content.length }])
          : { status: 200, body: content },
      );
      await using folder = await temporaryFolder();
      const { code, error } = await returns(['jobs', 'download', jobId, '--out', folder.path], { env: fake.env });
      expect([code, await readdir(folder.path)]).toEqual([1, []]);
      expect(error).not.toContain('\u001b');
      expect(fake.service.requests.some(({ path }) => path.startsWith('/files'))).toBe(false);
    },
  );

  it('sends a signed URL over TLS only', async () => {
    await using fake = await fakeService(() =>
      doneJob([{ name: 'returns-1.csv', url: 'http://files.example.com/1', bytes: 1 }]),
    );
    await using folder = await temporaryFolder();
    const { code, error } = await returns(['jobs', 'download', jobId, '--out', folder.path], { env: fake.env });
    expect([code, error]).toEqual([4, expect.stringContaining('unsafe_url')]);
  });

  it('says nothing about a job that the service does not have', async () => {
    await using fake = await fakeService(() => json(404, { code: 'job_not_found', detail: 'No job.' }));
    const { code, error } = await returns(['jobs', 'wait', jobId], { env: fake.env });
    expect([code, error]).toEqual([3, 'error: No job. (job_not_found)\n']);
  });

  it('ends with 1 where the job failed', async () => {
    await using fake = await fakeService(() =>
      json(
        200,
        exampleAnswer('getJob', { jobId, kind: 'export', status: 'failed', failure: { code: 'too_large', part: 0 } }),
      ),
    );
    const { code, out } = await returns(['jobs', 'download', jobId], { env: fake.env });
    expect([code, out]).toEqual([1, expect.stringContaining('too_large')]);
  });
});

describe('verification of an export', () => {
  it('ends with 2 for unreadable files', async () => {
    await using folder = await temporaryFolder();
    const [exported, roots] = [join(folder.path, 'export.ndjson'), join(folder.path, 'roots.json')];
    await writeFile(exported, '');
    await writeFile(roots, '{}');
    const { code, error } = await returns(['verify', exported, roots]);
    expect([code, error]).toEqual([2, expect.stringContaining('something else')]);
    const none = join(folder.path, 'none.json');
    expect(await returns(['verify', exported, none])).toMatchObject({
      code: 2,
      error: `error: ${none} is not readable (ENOENT). Name a file that exists, and that you may read.\n`,
    });
  });

  it('ends with 0 for an export without faults', async () => {
    await using folder = await temporaryFolder();
    const [exported, roots] = [join(folder.path, 'export.ndjson'), join(folder.path, 'roots.json')];
    await writeFile(exported, '');
    const empty = createHash('sha256').digest('hex');
    await writeFile(
      roots,
      JSON.stringify([{ at: '2026-11-25T00:00:00Z', before: '0'.repeat(64), root: empty, size: 0, withdrawals: 0 }]),
    );
    const { code, out } = await returns(['verify', exported, roots, '--part', '--json']);
    expect([code, JSON.parse(out)]).toEqual([0, expect.objectContaining({ returns: 0, faults: 0 })]);
  });
});
