import { execFile } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { DeleteCommand, DynamoDBDocumentClient, PutCommand } from '@aws-sdk/lib-dynamodb';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import * as backend from '../../../lib/edge/backend/standalone.ts';
import type { Output } from '../../../lib/contract/contract.ts';
import { jobRunner } from '../../../lib/service/jobs/run-job.ts';
import type { Entry } from '../../../lib/domain/returns/history/entry.ts';
import { entryHash } from '../../../lib/domain/returns/history/history.ts';
import { addMacs, type KeyRing } from '../../../lib/domain/returns/history/mac.ts';
import type { Root } from '../../../lib/domain/returns/history/merkle.ts';
import type { ExportedHistory } from '../../../lib/domain/returns/history/verify-history.ts';
import { entryKey } from '../../../lib/store/engine/keys.ts';
import { pack } from '../../../lib/store/engine/pack.ts';
import type { ExportFailure } from '../../../lib/tools/verify/check-history.ts';
import { parseRoots, verifyExport } from '../../../lib/tools/verify/verify-export.ts';
import { startEngines } from '../../shops/inbox/engines.ts';
import { backendCall } from '../../support/backend-call.ts';
import { ringText, unitRing } from '../../support/history-keys.ts';
import { liveThrough } from '../../support/life-of-backend.ts';
import { steps } from '../../support/life.ts';
import { publishRoot } from '../../support/publish-root.ts';
import { workers } from './worker.ts';

const engines = await startEngines();
const { workOff } = workers(engines.jobsUrl, jobRunner(backend));
const table = DynamoDBDocumentClient.from(new DynamoDBClient({}));
const directory = await mkdtemp(join(tmpdir(), 'histories-'));
afterAll(async () => {
  await engines.stop();
  await rm(directory, { recursive: true, force: true });
});

const live = async (): Promise<string> => {
  let id = '';
  for await (const { reply } of liveThrough(backend, [steps.approve, steps.receive, steps.addNote]))
    ({ returnId: id } = reply.body as { returnId: string });
  return id;
};

/** Today on the first call, and one day later on each further call. */
let days = -1;
const anchor = async (): Promise<Root> => publishRoot((days += 1));

const work = async (jobId: string): Promise<Output<'getJob'>> => {
  await workOff();
  const job = await backend.getJob({ jobId }, backendCall());
  if (!job.ok) throw new Error(job.failure.code);
  return job.value.body;
};

const exported = async (): Promise<readonly ExportedHistory[]> => {
  const started = await backend.createExport({ format: 'history' }, backendCall());
  if (!started.ok) throw new Error(started.failure.detail);
  const job = await work(started.value.body.jobId);
  const files = job.kind === 'export' ? (job.files ?? []) : [];
  expect(files.every(({ name }) => name.endsWith('.ndjson'))).toBe(true);
  const texts = await Promise.all(files.map(async ({ url }) => (await fetch(url)).text()));
  return texts.flatMap((text) => text.trimEnd().split('\n')).map((line) => JSON.parse(line) as ExportedHistory);
};

/** Returns the findings of an export: code, return and entry. */
const found = async (
  histories: readonly ExportedHistory[],
  roots: readonly Root[],
  { keys, isPart = false }: { readonly keys?: KeyRing; readonly isPart?: boolean } = {},
) => {
  const failures: ExportFailure[] = [];
  const onFailure = (failure: ExportFailure) => void failures.push(failure);
  const lines = histories.map((history) => JSON.stringify(history));
  const verdict = await verifyExport(lines, roots, { keys, isPart, onFailure });
  return { ...verdict, named: failures.map(({ name, returnId, sequence }) => [name, returnId, sequence]) };
};

let histories: readonly ExportedHistory[];
let roots: readonly Root[];
let ids: readonly string[];
beforeAll(async () => {
  vi.useFakeTimers({ toFake: ['Date'], now: Date.now() - 86_400_000 });
  const anchored = [await live(), await live(), await live(), await live()];
  vi.useRealTimers();
  const root = await anchor();
  // One return has changed since, and one is new.
  await backend.addNote({ returnId: anchored[0] ?? '', text: 'later' }, backendCall());
  ids = [...anchored, await live()];
  histories = await exported();
  roots = [root];
});

const historyOf = (id: string | undefined): ExportedHistory => {
  const history = histories.find(({ returnId }) => returnId === id);
  if (history === undefined) throw new Error('it was not exported');
  return history;
};
const entriesOf = ({ entries }: ExportedHistory): readonly Entry[] => entries.flatMap((entry) => entry ?? []);

/** Returns the export with one history replaced. */
const replaced = (history: ExportedHistory): readonly ExportedHistory[] =>
  histories.map((one) => (one.returnId === history.returnId ? history : one));

/** Changes an entry and rebuilds the chain from there: with the key, or with the existing MACs. */
const rewritten = (history: ExportedHistory, from: number, keys?: KeyRing): ExportedHistory => {
  const chain: Entry[] = [];
  for (const entry of entriesOf(history)) {
    const previousHash = chain.at(-1)?.hash ?? entry.previousHash;
    const changed = entry.sequence < from ? entry : { ...entry, causationId: 'another', previousHash };
    const hashed = { ...changed, hash: entryHash(changed) };
    chain.push(keys === undefined ? hashed : (addMacs([hashed], keys.current)[0] ?? hashed));
  }
  return { ...history, entries: chain, head: chain.at(-1)?.hash ?? '' };
};

describe('verification of an exported history', () => {
  it('proves all returns up to the last root, and names the younger ones', async () => {
    expect(histories.map(({ returnId }) => returnId).toSorted()).toEqual([...ids].toSorted());
    const entries = histories.flatMap(entriesOf).length;
    const young = entriesOf(historyOf(ids[4])).length;
    const verdict = { returns: 5, entries, unanchored: { histories: 1, entries: young + 1 }, faults: 0, named: [] };
    expect(await found(histories, roots)).toMatchObject({ ...verdict, provenBy: [roots[0]?.at] });
    expect(await found(histories, roots, { keys: unitRing })).toMatchObject(verdict);
  });

  it('names an entry that was edited', async () => {
    const history = historyOf(ids[1]);
    const entries = history.entries.map((entry, at) =>
      at === 1 && entry ? { ...entry, at: '2020-01-01T00:00:00.000Z' } : entry,
    );
    expect((await found(replaced({ ...history, entries }), roots)).named).toEqual([['edited entry', ids[1], 2]]);
    const unread = history.entries.with(1, null);
    expect((await found(replaced({ ...history, entries: unread }), roots)).named).toEqual([
      ['edited entry', ids[1], 2],
    ]);
  });

  it('names a rewritten chain by the root alone, even when the attacker has the key', async () => {
    for (const keys of [undefined, unitRing])
      for (const from of [1, 3]) {
        const { named } = await found(replaced(rewritten(historyOf(ids[1]), from, keys)), roots);
        expect(named).toEqual([['rewritten chain', ids[1], entriesOf(historyOf(ids[1])).length]]);
      }
  });

  it('names entries that were rewritten since the last root, by the key alone', async () => {
    const history = historyOf(ids[0]);
    const last = history.entries.length;
    const forged = replaced(rewritten(history, last));
    expect(await found(forged, roots)).toMatchObject({ faults: 0 });
    expect((await found(forged, roots, { keys: unitRing })).named).toEqual([['rewritten chain', ids[0], last]]);
    const young = replaced(rewritten(historyOf(ids[4]), 1));
    expect(await found(young, roots)).toMatchObject({ faults: 0, unanchored: { histories: 1 } });
    expect((await found(young, roots, { keys: unitRing })).named).toEqual([['rewritten chain', ids[4], 1]]);
  });

  it('names a removed tail, and a removed entry', async () => {
    const history = historyOf(ids[2]);
    const entries = entriesOf(history);
    const cut = entries.slice(0, 2);
    const shorter = { ...history, entries: cut, version: 2, head: cut[1]?.hash ?? '' };
    expect((await found(replaced(shorter), roots)).named).toEqual([['removed tail', ids[2], 3]]);
    const gap = { ...history, entries: entries.toSpliced(1, 1) };
    expect((await found(replaced(gap), roots)).named).toEqual([['removed entry', ids[2], 2]]);
    // Without a root, the return itself states the length of its history.
    const young = historyOf(ids[4]);
    expect((await found(replaced({ ...young, entries: young.entries.slice(0, 1) }), roots)).named).toEqual([
      ['removed tail', ids[4], 2],
    ]);
  });

  it('names swapped entries', async () => {
    const history = historyOf(ids[2]);
    const [first, second, third, ...rest] = entriesOf(history);
    const swapped = [first, third, second, ...rest].flatMap((entry) => entry ?? []);
    expect((await found(replaced({ ...history, entries: swapped }), roots)).named).toEqual([
      ['swapped entries', ids[2], 2],
    ]);
  });

  it('names a removed return, unless the export is partial', async () => {
    const less = histories.filter(({ returnId }) => returnId !== ids[3]);
    expect((await found(less, roots)).named).toEqual([['removed return', undefined, undefined]]);
    expect(await found(less, roots, { isPart: true })).toMatchObject({ faults: 0 });
    expect((await found([], roots)).named).toHaveLength(4);
  });

  it('rejects a proof of another return, of another root, or a missing one', async () => {
    const history = historyOf(ids[1]);
    const { proof, ...bare } = history;
    const { proof: other } = historyOf(ids[2]);
    if (proof === undefined || other === undefined) throw new Error('there are no proofs');
    const without = async (changed: ExportedHistory) =>
      (await found(replaced(changed), roots, { isPart: true })).named[0];
    const failure = ['rewritten chain', ids[1], undefined];
    expect(await without(bare)).toEqual(failure);
    expect(await without({ ...history, proof: other })).toEqual(failure);
    expect(await without({ ...history, proof: { ...proof, at: '2020-01-01T00:00:00.000Z' } })).toEqual(failure);
    expect(
      await without({ ...history, proof: { ...proof, version: 1, head: entriesOf(history)[0]?.hash ?? '' } }),
    ).toEqual(failure);
    const otherRoot = roots.map((root) => ({ ...root, root: '0'.repeat(64) }));
    expect((await found(histories, otherRoot, { isPart: true })).faults).toBe(4);
  });

  it('reports a missing root, and returns that are missing between roots', async () => {
    const at = (day: number, size: number, earlier?: Root['earlier']): Root => ({
      at: `2026-11-0${day}T00:00:00.000Z`,
      before: 'ret_0',
      size,
      withdrawals: 0,
      root: '0'.repeat(64),
      ...(earlier !== undefined && { earlier }),
    });
    const one = at(1, 5);
    const two = at(2, 7, { at: one.at, size: 5, found: 5 });
    const three = at(3, 7, { at: two.at, size: 7, found: 6 });
    const named = async (...all: readonly Root[]) =>
      (await found([], all, { isPart: true })).named.map(([name]) => name);
    expect(await named(one, two)).toEqual([]);
    expect(await named(one, two, three)).toEqual(['removed return']);
    expect(await named(one, three)).toEqual(['rewritten chain', 'removed return']);
    const text = [two, one].map((root) => JSON.stringify(root));
    expect([parseRoots(text.join('\n')), parseRoots(`[${text.join()}]`)]).toEqual([
      [one, two],
      [one, two],
    ]);
    expect(() => parseRoots('{}')).toThrow('something else');
  });

  it('runs on files by a command, whose exit code is the result', async () => {
    const lines = (all: readonly object[]) => all.map((one) => `${JSON.stringify(one)}\n`).join('');
    const files = {
      export: lines(histories),
      forged: lines(replaced(rewritten(historyOf(ids[1]), 1))),
      roots: lines(roots),
      key: ringText(),
    };
    for (const [name, text] of Object.entries(files)) await writeFile(join(directory, name), text);
    const verify = async (...names: readonly string[]) => {
      const args = [
        'lib/tools/verify/cli.ts',
        ...names.map((name) => (/^[-/]/.test(name) ? name : join(directory, name))),
      ];
      return promisify(execFile)(process.execPath, args).then(
        ({ stdout }) => ({ code: 0, text: stdout }),
        ({ code, stdout, stderr }: { code: number; stdout: string; stderr: string }) => ({
          code,
          text: stdout + stderr,
        }),
      );
    };
    expect(await verify('export', 'roots')).toMatchObject({
      code: 0,
      text: expect.stringContaining('1 histories and 5 entries are not anchored.\nNo faults.'),
    });
    expect(await verify('export', 'roots', 'key')).toMatchObject({
      code: 0,
      text: expect.stringContaining('their MACs were checked'),
    });
    expect(await verify('forged', 'roots')).toMatchObject({
      code: 1,
      text: expect.stringMatching(`rewritten chain +${ids[1]}`),
    });
    expect(await verify('export')).toMatchObject({ code: 2 });
    expect(await verify('roots', 'roots')).toMatchObject({ code: 2, text: expect.stringContaining('no history') });
    // A root whose tree is not among the files.
    expect(await verify('export', 'roots', '--trees', directory)).toMatchObject({
      code: 1,
      text: expect.stringMatching(/^missing tree .*\n/),
    });
    expect(await verify('--help')).toMatchObject({ code: 0, text: expect.stringContaining('can forge') });
  });
});

it('the verification of a history succeeds after an erasure', async () => {
  const id = ids[1] ?? '';
  const state = await backend.getReturn({ returnId: id }, backendCall());
  if (!state.ok) throw new Error('it is gone');
  const { order } = state.value.body;
  const started = await backend.eraseCustomer(
    { platform: order.platform, customerId: `customer-of-${order.orderId}` },
    backendCall(),
  );
  if (!started.ok) throw new Error(started.failure.detail);
  expect(await work(started.value.body.jobId)).toMatchObject({ status: 'done' });
  const read = await backend.getReturn({ returnId: id }, backendCall());
  expect(JSON.stringify(read)).not.toContain('marker');
  const after = await exported();
  expect(after.find((one) => one.returnId === id)).toEqual(historyOf(id));
  expect(await found(after, roots, { keys: unitRing })).toMatchObject({ faults: 0, returns: 5 });
  const next = await anchor();
  expect(await found(await exported(), [...roots, next], { keys: unitRing })).toMatchObject({
    faults: 0,
    unanchored: { histories: 0, entries: 0 },
  });
});

it('the verification of a history names changes of the table since the last root', async () => {
  const next = await anchor();
  const before = await exported();
  const [one, two] = [ids[2] ?? '', ids[3] ?? ''];
  const put = async (returnId: string, entries: readonly Entry[]) => {
    for (const entry of entries)
      await table.send(
        new PutCommand({
          TableName: engines.table,
          Item: { ...entryKey(returnId, entry.sequence), value: pack(entry) },
        }),
      );
  };
  histories = before;
  await put(one, entriesOf(rewritten(historyOf(one), 2, unitRing)));
  await table.send(new DeleteCommand({ TableName: engines.table, Key: { pk: `RETURN#${two}`, sk: 'SNAPSHOT' } }));
  const { named } = await found(await exported(), [next], { keys: unitRing });
  // Ids of one millisecond have any order.
  expect(named).toHaveLength(2);
  expect(named).toContainEqual(['rewritten chain', one, 4]);
  expect(named).toContainEqual(['removed return', two, undefined]);
});
