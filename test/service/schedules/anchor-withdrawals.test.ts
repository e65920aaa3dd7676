import { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { BatchWriteCommand, DeleteCommand, DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';
import { ulid } from 'ulid';
import { afterAll, describe, expect, it, vi } from 'vitest';
import { anchorChains } from '../../../lib/service/schedules/anchors/anchor-chains.ts';
import { hashOfLeaf, isIncluded, type Leaf } from '../../../lib/domain/returns/history/merkle.ts';
import { createProofFinder, readAnchoredTree } from '../../../lib/store/anchors/anchors.ts';
import { fanOut } from '../../../lib/store/anchors/tree-objects.ts';
import { withdrawalKey } from '../../../lib/store/engine/keys.ts';
import { openSession } from '../../../lib/store/engine/session.ts';
import type { Write } from '../../../lib/store/engine/transact.ts';
import { readReturn, writeReturn } from '../../../lib/store/returns/returns.ts';
import { writeWithdrawal } from '../../../lib/store/withdrawals/withdrawals.ts';
import { hearLines } from '../../support/standard-output.ts';
import { sample } from '../../support/samples.ts';
import { ampleDeadline, contextWith } from '../../support/time.ts';
import { declaredWithdrawal } from '../../domain/withdrawals/support.ts';
import { approvedReturn, startSchedules } from './support.ts';

const { engines, backendWith } = await startSchedules();
const backend = backendWith({});
const table = DynamoDBDocumentClient.from(new DynamoDBClient({}));
const session = openSession(ampleDeadline());
afterAll(() => session[Symbol.dispose]());

const day = 86_400_000;
const begin = Date.now();

type Item = Readonly<Record<string, unknown>>;

const store = async (items: readonly Item[]): Promise<void> => {
  for (let start = 0; start < items.length; start += 25) {
    const RequestItems = {
      [engines.table]: items.slice(start, start + 25).map((one) => ({ PutRequest: { Item: one } })),
    };
    await table.send(new BatchWriteCommand({ RequestItems }));
  }
};

/** Ids from a day ago backwards, a second apart. */
const idsOf = (prefix: string, size: number): readonly string[] =>
  Array.from({ length: size }, (_, index) => `${prefix}_${ulid(begin - day - index * 1000)}`);

/** Stores withdrawals and returns of a day ago, and returns their leaves, the newest withdrawal first. */
const seed = async (withdrawals: number, returns: number): Promise<readonly Leaf[]> => {
  const template = await readReturn(session, await approvedReturn(backend));
  if (template === undefined) throw new Error('it is gone');
  const states = [
    ...idsOf('wdr', withdrawals).map((id) => ({ ...declaredWithdrawal(), id })),
    ...idsOf('ret', returns).map((id) => ({ ...template, id })),
  ];
  const writes = states.flatMap((state): Write[] =>
    'lines' in state ? writeReturn(state, [], undefined) : writeWithdrawal(state, [], undefined),
  );
  await store(writes.flatMap(({ action }): Item[] => (action.Put?.Item === undefined ? [] : [action.Put.Item])));
  return states.map(({ id, version, head }) => ({ returnId: id, version, head }));
};

const runAt = async (time: number) => {
  vi.useFakeTimers({ toFake: ['Date'], now: time });
  const lines: Record<string, unknown>[] = [];
  const hearing = hearLines((line) => lines.push(JSON.parse(line) as Record<string, unknown>));
  const done = await anchorChains({}, contextWith());
  hearing.mockRestore();
  vi.useRealTimers();
  return { ...done, lines };
};

/** Returns the leaves that have no proof in the last tree. */
const unproven = async (leaves: readonly Leaf[]): Promise<readonly string[]> => {
  const tree = await readAnchoredTree(session);
  if (tree === undefined) throw new Error('nothing is anchored');
  const proofOf = createProofFinder(session, tree);
  const missing: string[] = [];
  for (const { returnId, version, head } of leaves) {
    const proof = await proofOf(returnId);
    const fits = proof?.version === version && proof.head === head;
    if (!fits || !isIncluded(hashOfLeaf(proof), proof, tree.root)) missing.push(returnId);
  }
  return missing;
};

describe('anchorChains', () => {
  let leaves: readonly Leaf[];

  it('holds the withdrawals before the returns, and finds all of them again with the next tree', async () => {
    leaves = await seed(fanOut + 40, 60);
    const { published } = await runAt(begin + 60_000);
    expect(published).toMatchObject({ size: leaves.length, withdrawals: fanOut + 40 });
    const next = await runAt(begin + day);
    expect(next.published).toMatchObject({
      size: leaves.length + 1,
      withdrawals: fanOut + 40,
      earlier: { size: leaves.length, found: leaves.length },
    });
    expect(next.lines).toContainEqual(expect.objectContaining({ ChainBroken: 0 }));
    expect(await unproven(sample(leaves, 7))).toEqual([]);
  });

  it('names a deleted withdrawal with the tree after it, which keeps its leaf', async () => {
    const [first, last] = [leaves[0], leaves[fanOut + 39]].map((leaf) => leaf?.returnId ?? '');
    for (const id of [first, last])
      await table.send(new DeleteCommand({ TableName: engines.table, Key: withdrawalKey(id ?? '') }));
    const { published, lines } = await runAt(begin + 2 * day);
    expect(published).toMatchObject({
      withdrawals: fanOut + 40,
      earlier: { size: leaves.length + 1, found: leaves.length - 1 },
      differences: [first, last].map((returnId) => ({ returnId, code: 'history_removed' })),
    });
    expect(lines).toContainEqual(expect.objectContaining({ message: 'histories differ', differing: 2 }));
    expect(lines).toContainEqual(expect.objectContaining({ ChainBroken: 2 }));
    expect(await unproven([...leaves.slice(1, 3), ...leaves.slice(-2)])).toEqual([]);
  });
});
