import { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { BatchWriteCommand, DeleteCommand, DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';
import { ulid } from 'ulid';
import { afterAll, afterEach, describe, expect, test, vi } from 'vitest';
import { anchorChains } from '../../lib/anchors/anchor-chains.ts';
import { startObjects } from '../../lib/local/emulators/objects.ts';
import { hashOfLeaf, isIncluded, type Root } from '../../lib/returns/history/merkle.ts';
import type { Return } from '../../lib/returns/model/return.ts';
import { fanOut, storeRoot, createProofFinder, readAnchoredTree } from '../../lib/store/anchors/anchors.ts';
import { returnKey } from '../../lib/store/engine/keys.ts';
import { openSession } from '../../lib/store/engine/session.ts';
import { fetchDomainEvents, readUnlisted } from '../../lib/store/events/outbox.ts';
import { readReturn, writeReturn } from '../../lib/store/returns/returns.ts';
import { backendCall } from '../support/backend-call.ts';
import { setEnvironment } from '../support/environment.ts';
import { runsEveryCase, sample } from '../support/samples.ts';
import { hearLines } from '../support/standard-output.ts';
import { ampleDeadline, contextWith } from '../support/time.ts';
import { approvedReturn, startSchedules } from './support.ts';

const { engines, backendWith } = await startSchedules();
const upstream = process.env['AWS_ENDPOINT_URL_S3'] ?? '';
const rootsBucket = 'anchor-test-roots';
await fetch(`${upstream}/${rootsBucket}`, { method: 'PUT' });
const allowed = ['PutObject', 'GetObject'].map((action) => `s3:${action}`);
const resources = [process.env['EXPORT_BUCKET'], rootsBucket].map((bucket) => `arn:aws:s3:::${bucket}/*`);
const own = {
  function: 'anchorChains',
  arn: 'arn:aws:sts::000000000000:assumed-role/anchor/anchor',
  permissions: resources.flatMap((resource) => allowed.map((action) => ({ action, resource }))),
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
  const listing = await (await fetch(`${upstream}/${rootsBucket}?list-type=2`)).text();
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

  test('adds new and changed returns to the next tree, and reports deleted ones with the tree after it', async () => {
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
    expect(third.published?.earlier).toMatchObject({ size: before.size + 1, found: before.size });
    expect(third.lines).toContainEqual(expect.objectContaining({ ChainBroken: 1 }));
    expect(third.lines).toContainEqual(expect.objectContaining({ message: 'histories missing', missing: 1 }));
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

  test('stores a root once and refuses another one in its place', async () => {
    const root = { at: '2020-01-01T00:00:00.000Z', before: 'ret_0', size: 0, withdrawals: 0, root: '0'.repeat(64) };
    await storeRoot(session, root);
    await storeRoot(session, root);
    await expect(storeRoot(session, { ...root, size: 1 })).rejects.toThrow('another root is in its place');
    expect(await storedRoots()).toContainEqual(root);
  });
});
