import { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { BatchWriteCommand, DeleteCommand, DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';
import { ulid } from 'ulid';
import { afterAll, afterEach, describe, expect, test, vi } from 'vitest';
import { anchorChains } from '../../../lib/service/schedules/anchors/anchor-chains.ts';
import { startObjects } from '../../../lib/tools/local/emulators/objects.ts';
import {
  buildTree,
  hashOfLeaf,
  isIncluded,
  type Leaf,
  type Root,
  rootOf,
} from '../../../lib/domain/returns/history/merkle.ts';
import type { Return } from '../../../lib/domain/returns/model/return.ts';
import { createProofFinder, readAnchoredTree, storeRoot } from '../../../lib/store/anchors/anchors.ts';
import { fanOut } from '../../../lib/store/anchors/tree-objects.ts';
import { readCursor, writeCursor } from '../../../lib/store/engine/checkpoint.ts';
import { returnKey, scheduleKey } from '../../../lib/store/engine/keys.ts';
import { openSession } from '../../../lib/store/engine/session.ts';
import { fetchDomainEvents, readUnlisted } from '../../../lib/store/events/outbox.ts';
import { readReturn, writeReturn } from '../../../lib/store/returns/returns.ts';
import { backendCall } from '../../support/backend-call.ts';
import { setEnvironment } from '../../support/environment.ts';
import { runsEveryCase, sample } from '../../support/samples.ts';
import { hearLines } from '../../support/standard-output.ts';
import { ampleDeadline, contextWith } from '../../support/time.ts';
import { approvedReturn, startSchedules } from './support.ts';

const { engines, backendWith } = await startSchedules();
const upstream = process.env['AWS_ENDPOINT_URL_S3'] ?? '';
const rootsBucket = 'anchor-test-roots';
await fetch(`${upstream}/${rootsBucket}`, { method: 'PUT' });
const buckets = [process.env['EXPORT_BUCKET'], rootsBucket].map((bucket) => `arn:aws:s3:::${bucket}`);
const permissions = buckets.flatMap((bucket) => [
  ...['s3:PutObject', 's3:GetObject'].map((action) => ({ action, resource: `${bucket}/*` })),
  { action: 's3:ListBucket', resource: bucket },
]);
const own = {
  function: 'anchorChains',
  arn: 'arn:aws:sts::000000000000:assumed-role/anchor/anchor',
  permissions,
};
/** Milliseconds of the run's time that each stored file takes. */
let millisecondsEach = 0;
const objects = await startObjects({
  upstream,
  identities: new Map([['local', own]]),
  locked: new Set([rootsBucket]),
  onCall: () => void (millisecondsEach > 0 && vi.setSystemTime(Date.now() + millisecondsEach)),
});
afterAll(objects.close);
setEnvironment({ AWS_ENDPOINT_URL_S3: objects.url, ANCHOR_BUCKET: rootsBucket });
const backend = backendWith({});
const table = DynamoDBDocumentClient.from(new DynamoDBClient({}));
const session = openSession(ampleDeadline());
afterAll(() => session[Symbol.dispose]());
afterEach(() => {
  vi.useRealTimers();
  vi.restoreAllMocks();
});

const day = 86_400_000;
const begin = Date.now();
const runAt = async (time: number) => {
  vi.useFakeTimers({ toFake: ['Date'], now: time });
  const lines: Record<string, unknown>[] = [];
  hearLines((line) => lines.push(JSON.parse(line) as Record<string, unknown>));
  const done = await anchorChains({}, contextWith());
  vi.restoreAllMocks();
  vi.useRealTimers();
  return { ...done, lines };
};

const storedRoots = async (): Promise<readonly Root[]> => {
  const listing = await (await fetch(`${upstream}/${rootsBucket}?list-type=2&prefix=roots/`)).text();
  const keys = [...listing.matchAll(/<Key>([^<]+)<\/Key>/g)].map(([, key]) => key);
  return Promise.all(
    keys.map(async (key) => (await (await fetch(`${upstream}/${rootsBucket}/${key}`)).json()) as Root),
  );
};

/** Stores copies of a return, with ids one second apart, from a day ago backwards. */
const seed = async (template: Return, size: number): Promise<readonly Return[]> => {
  const states = Array.from({ length: size }, (_, index) => ({
    ...template,
    id: `ret_${ulid(begin - day - index * 1000)}`,
  }));
  const items = states
    .flatMap((state) => writeReturn(state, [], undefined))
    .flatMap(({ action }) => action.Put?.Item ?? []);
  for (let start = 0; start < items.length; start += 25) {
    const RequestItems = { [engines.table]: items.slice(start, start + 25).map((Item) => ({ PutRequest: { Item } })) };
    await table.send(new BatchWriteCommand({ RequestItems }));
  }
  return states;
};

const proven = async (ids: readonly string[]) => {
  const anchored = await readAnchoredTree(session);
  if (anchored === undefined) throw new Error('nothing is anchored');
  const proofOf = createProofFinder(session, anchored);
  const proofs: (string | undefined)[] = [];
  for (const id of ids.toSorted().toReversed()) {
    const [proof, state] = [await proofOf(id), await readReturn(session, id)];
    const fits = proof?.version === state?.version && proof?.head === state?.head;
    if (proof === undefined || !fits || !isIncluded(hashOfLeaf(proof), proof, anchored.root)) proofs.push(id);
  }
  return { unproven: proofs, anchored };
};

const minute = 60_000;
let young = '';

describe('anchorChains', () => {
  test('anchors all returns once a day, in as many runs as necessary, and proves each', async () => {
    young = await approvedReturn(backend);
    const template = await readReturn(session, young);
    if (template === undefined) throw new Error('it is gone');
    const seeded = await seed(template, (runsEveryCase() ? 2 : 1) * fanOut + 100);
    // More than the time of the function: each run adds one file.
    millisecondsEach = 20 * minute;
    const runs = [];
    do runs.push(await runAt(begin + (1 + runs.length) * minute));
    while (runs.at(-1)?.published === undefined && runs.length < 9);
    millisecondsEach = 0;
    expect(runs.length).toBeGreaterThan(1);
    expect(runs[0]?.added).toBe(fanOut);
    expect(runs.reduce((all, { added }) => all + added, 0)).toBe(seeded.length);
    const { published } = runs.at(-1) ?? {};
    expect(published).toMatchObject({ size: seeded.length, root: expect.stringMatching(/^[0-9a-f]{64}$/) });
    expect(published).not.toHaveProperty('earlier');
    expect(await storedRoots()).toEqual([published]);
    const { unproven, anchored } = await proven(sample(seeded, 8).map((state) => state.id));
    expect(unproven).toEqual([]);
    // Returns that may be missing in the index are anchored on the next day.
    expect(await createProofFinder(session, anchored)(young)).toBeUndefined();
    const stream = `ANCHOR#${published?.at}`;
    expect(await fetchDomainEvents(session, [{ stream, sequence: 1 }])).toMatchObject([
      { type: 'history.anchored', data: published },
    ]);
    expect(await readUnlisted(session)).toContain(stream);
    expect(await runAt(Math.floor(begin / day) * day + day - 1)).toMatchObject({ added: 0 });
  });

  test('adds new and changed returns to the next tree, and names deleted ones with the tree after it', async () => {
    const { anchored: before } = await proven([]);
    const next = await runAt(begin + day);
    const earlier = { at: before.at, size: before.size, found: before.size };
    expect(next.published).toMatchObject({ size: before.size + 1, earlier });
    expect(next.lines).toContainEqual(expect.objectContaining({ ChainBroken: 0 }));
    expect((await proven([young])).unproven).toEqual([]);
    expect(await backend.updateReturn({ returnId: young, tags: ['a'] }, backendCall())).toMatchObject({ ok: true });
    // The last tree has the version before the change.
    expect((await proven([young])).unproven).toEqual([young]);
    await runAt(begin + 2 * day);
    expect((await proven([young])).unproven).toEqual([]);
    await table.send(new DeleteCommand({ TableName: engines.table, Key: returnKey(young) }));
    const third = await runAt(begin + 3 * day);
    // The tree keeps the leaf of the deleted return.
    expect(third.published).toMatchObject({
      size: before.size + 1,
      earlier: { size: before.size + 1, found: before.size },
      differences: [{ returnId: young, code: 'history_removed' }],
    });
    expect(third.lines).toContainEqual(expect.objectContaining({ ChainBroken: 1 }));
    const line = { level: 'error', message: 'history differs', returnId: young, code: 'history_removed' };
    expect(third.lines).toContainEqual(expect.objectContaining(line));
  });

  test('publishes one root when two concurrent runs build a tree', async () => {
    const before = await storedRoots();
    vi.useFakeTimers({ toFake: ['Date'], now: begin + 4 * day });
    const one = anchorChains({}, contextWith());
    vi.setSystemTime(begin + 4 * day + 1);
    const both = await Promise.all([one, anchorChains({}, contextWith())]);
    vi.useRealTimers();
    const [published, ...more] = both.flatMap((run) => run.published ?? []);
    expect(more).toEqual([]);
    const anchored = await readAnchoredTree(session);
    expect(anchored).toMatchObject(published ?? {});
    expect((await storedRoots()).length).toBe(before.length + 1);
  });

  test('stores each tree beside its root, so that nothing else leads from the root to its leaves', async () => {
    const { at, root, size, isLocked } = (await proven([])).anchored;
    expect(isLocked).toBe(true);
    const folder = `${upstream}/${rootsBucket}/trees/${at.replaceAll(/[^0-9TZ]/g, '')}`;
    const parts = async (kind: string, hash: string) =>
      (await (await fetch(`${folder}/${kind}-${hash}`)).json()) as readonly { readonly root: string }[];
    const chunks = await parts('tree', root);
    const pages = (await Promise.all(chunks.map(async (chunk) => parts('chunk', chunk.root)))).flat();
    const leaves = (await Promise.all(pages.map(async (page) => parts('page', page.root)))).flat();
    expect(rootOf(buildTree((leaves as unknown as Leaf[]).map(hashOfLeaf)))).toBe(root);
    expect(leaves).toHaveLength(size);
    // Nothing but ids and hashes: no user can delete it before the end of the lock.
    expect(new Set(leaves.flatMap((leaf) => Object.keys(leaf)))).toEqual(new Set(['returnId', 'version', 'head']));
  });

  test('says with the root how many histories it could not compare, when a page of the last tree is missing', async () => {
    const { anchored } = await proven([]);
    const { version, ...item } = await readCursor(session, scheduleKey('anchor-chains'));
    const state = { last: { ...anchored, chunks: [{ ...anchored.chunks[0], root: '0'.repeat(64) }] } };
    await writeCursor(session, scheduleKey('anchor-chains'), { ...item, version }, JSON.stringify(state));
    const { published, lines } = await runAt(begin + 5 * day);
    expect(published).toMatchObject({ size: anchored.size - 1, earlier: { found: 0, uncompared: anchored.size } });
    expect(published).not.toHaveProperty('differences');
    expect(lines).toContainEqual(expect.objectContaining({ message: 'histories not compared', level: 'error' }));
    expect(lines).toContainEqual(expect.objectContaining({ ChainBroken: anchored.size }));
    expect((await runAt(begin + 6 * day)).published).toMatchObject({ earlier: { found: anchored.size - 1 } });
  });

  test('stores a root once and rejects another one in its place', async () => {
    const root = { at: '2020-01-01T00:00:00.000Z', before: 'ret_0', size: 0, withdrawals: 0, root: '0'.repeat(64) };
    await storeRoot(session, root);
    await storeRoot(session, root);
    await expect(storeRoot(session, { ...root, size: 1 })).rejects.toThrow('another root is in its place');
    expect(await storedRoots()).toContainEqual(root);
  });
});
