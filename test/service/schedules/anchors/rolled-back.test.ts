import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { DeleteCommand, DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { jobRunner } from '../../../../lib/service/jobs/run-job.ts';
import type { Root } from '../../../../lib/domain/returns/history/merkle.ts';
import { domainEventKey, returnKey, scheduleKey } from '../../../../lib/store/engine/keys.ts';
import { verifyFiles } from '../../../../lib/tools/verify/cli.ts';
import { workers } from '../../jobs/worker.ts';
import { startSchedules } from '../support.ts';
import { backendCall } from '../../../support/backend-call.ts';
import { publishRoot } from '../../../support/publish-root.ts';
import { type Row, writeRows } from '../../../domain/withdrawals/attacks/world.ts';
import { makeHistories, readTarget, rowAfter } from './stored-world.ts';

const { engines, backendWith } = await startSchedules();
const backend = backendWith({});
const { workOff } = workers(engines.jobsUrl, jobRunner(backend));
const table = DynamoDBDocumentClient.from(new DynamoDBClient({}));
const directory = await mkdtemp(join(tmpdir(), 'rolled-back-'));
afterAll(async () => rm(directory, { recursive: true, force: true }));

/** Removes the last entry of a return, and replaces its row by the one before. Returns the honest rows. */
const rollBack = async (id: string): Promise<readonly Row[]> => {
  const { entries, rows } = await readTarget(table, engines.table, id);
  const older = rowAfter(id, entries.slice(0, -1));
  if (older === undefined) throw new Error('no row fits');
  await writeRows(engines.table, [domainEventKey(returnKey(id).pk, entries.length), older]);
  return rows;
};

const verified = async (returnId: string) => {
  const answer = await backend.verifyHistory({ returnId }, backendCall());
  if (!answer.ok) throw new Error(answer.failure.code);
  return answer.value.body;
};

const download = async (): Promise<string> => {
  const started = await backend.createExport({ format: 'history' }, backendCall());
  if (!started.ok) throw new Error(started.failure.detail);
  await workOff();
  const job = await backend.getJob({ jobId: started.value.body.jobId }, backendCall());
  if (!job.ok || job.value.body.kind !== 'export') throw new Error('it is no export');
  return (await Promise.all((job.value.body.files ?? []).map(async ({ url }) => (await fetch(url)).text()))).join('');
};

/** Copies the trees of the bucket into a folder, as `aws s3 cp` does. */
const copyTrees = async (folder: string): Promise<void> => {
  const bucket = `${process.env['AWS_ENDPOINT_URL_S3']}/${process.env['EXPORT_BUCKET']}`;
  const listing = await (await fetch(`${bucket}?list-type=2&prefix=anchors/`)).text();
  for (const [, key = ''] of listing.matchAll(/<Key>([^<]+)<\/Key>/g)) {
    const file = join(folder, key);
    await mkdir(dirname(file), { recursive: true });
    await writeFile(file, await (await fetch(`${bucket}/${key}`)).text());
  }
};

/** Verifies an export by these roots, as an auditor without keys does; returns the named failures. */
const audit = async (exported: string, roots: readonly Root[], trees?: string) => {
  const files = { exported: join(directory, 'export'), roots: join(directory, 'roots') };
  await writeFile(files.exported, exported);
  await writeFile(files.roots, JSON.stringify(roots));
  const failures: (string | undefined)[][] = [];
  const done = await verifyFiles({ ...files, key: undefined, trees, isPart: false }, ({ name, returnId }) => {
    failures.push([name, returnId]);
  });
  expect(done).toMatchObject({ ok: true, value: { report: { faults: failures.length } } });
  return failures;
};

describe('a return that is rolled back between two roots', () => {
  let ids: readonly string[];
  let first: Root;
  beforeAll(async () => {
    ids = await makeHistories(backend, { returns: 4, withdrawals: 0 });
    first = await publishRoot();
  });

  it('is named by verifyHistory, by the next roots and by an audit of the export, until it is restored', async () => {
    const [id = ''] = ids;
    expect(await verified(id)).toMatchObject({ valid: true, anchor: { at: first.at, version: 2 } });
    const honest = await rollBack(id);
    const roots = [first, await publishRoot(1), await publishRoot(2)];
    const expected = { valid: false, firstFault: { code: 'tail_removed', sequence: 2 } };
    expect(await verified(id)).toMatchObject(expected);
    const differences = [{ returnId: id, code: 'tail_removed', version: 2 }];
    expect(roots.map((root) => root.differences)).toEqual([undefined, differences, differences]);
    // Once by the roots, and once by the leaf that the last tree keeps.
    const named = ['removed tail', id];
    expect(await audit(await download(), roots)).toEqual([named, named]);
    expect(await audit(await download(), roots.slice(-1))).toEqual([named, named]);
    await writeRows(engines.table, honest);
    expect(await verified(id)).toMatchObject({ valid: true });
    expect(await publishRoot(3)).not.toHaveProperty('differences');
  });

  it('says how many entries no root proves yet', async () => {
    const [, id = ''] = ids;
    const { entries: before } = await verified(id);
    await backend.addNote({ returnId: id, text: 'younger than the last root' }, backendCall());
    expect(await verified(id)).toMatchObject({ valid: true, entries: before + 1, anchor: { version: before } });
  });

  it('is named by the trees even if the service forgot the last tree', async () => {
    const [, , id = ''] = ids;
    const last = await publishRoot(4);
    await rollBack(id);
    await table.send(new DeleteCommand({ TableName: engines.table, Key: scheduleKey('anchor-chains') }));
    const roots = [last, await publishRoot(5)];
    expect(roots[1]).not.toHaveProperty('earlier');
    const exported = await download();
    expect(await audit(exported, roots.slice(1))).toEqual([]);
    expect(await audit(exported, roots)).toEqual([['rewritten chain', undefined]]);
    await copyTrees(directory);
    expect(await audit(exported, roots, directory)).toEqual([
      ['rewritten chain', undefined],
      ['removed tail', id],
    ]);
  });
});
