import type { QueryCommand } from '@aws-sdk/lib-dynamodb';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Session } from '../../lib/store/engine/session.ts';
import { readIndexPage, type IndexPartitions } from '../../lib/store/engine/index-page.ts';
import { runs } from '../support/samples.ts';
import { setEnvironment } from '../support/environment.ts';

setEnvironment({ TABLE_NAME: 'unit' });

const query: IndexPartitions = {
  name: 'byUpdate',
  attribute: 'listKey',
  sort: 'updatedKey',
  partitions: ['RETURNS#0', 'RETURNS#1', 'RETURNS#2'],
};

type Row = { readonly position: string; readonly partition: string };

/** Returns an index with the engine's behavior. One response has at most `maximum` rows. */
const indexOf = (rows: readonly Row[], maximum: number): Session => {
  const send: unknown = async ({ input }: QueryCommand) => {
    const values = input.ExpressionAttributeValues ?? {};
    const [from, to] = [String(values[':from']), String(values[':to'])];
    const found = rows
      .filter(({ partition, position }) => partition === values[':partition'] && position >= from && position <= to)
      .map(({ position }) => position)
      .toSorted()
      .toReversed();
    const size = Math.min(input.Limit ?? maximum, maximum);
    const Items = found.slice(0, size).map((position) => ({ [query.sort]: position }));
    return { Items, ...(found.length > size && { LastEvaluatedKey: { [query.sort]: found[size - 1] } }) };
  };
  return {
    send: send as Session['send'],
    signal: new AbortController().signal,
    [Symbol.dispose]: () => undefined,
  };
};

/** Returns the positions of all rows, from the start of the index to its end. */
const readAll = async (session: Session, limit: number): Promise<readonly string[]> => {
  const found: string[] = [];
  for (;;) {
    const before = found.at(-1);
    const { items, rest } = await readIndexPage(session, query, before === undefined ? {} : { before }, limit);
    found.push(...items.map(({ position }) => position));
    if (!rest) return found;
    if (found.at(-1) === before) throw new Error('a page of a walk that goes on is empty');
  }
};

const rowsOf = fc
  .uniqueArray(fc.nat(999), { maxLength: 30 })
  .chain((numbers) =>
    fc.tuple(
      ...numbers.map((number) =>
        fc
          .constantFrom(...query.partitions)
          .map((partition): Row => ({ partition, position: `ret_${String(number).padStart(3, '0')}` })),
      ),
    ),
  );

describe('index page', () => {
  it('returns the rows of all partitions in one order, without gaps between pages', async () => {
    await fc.assert(
      fc.asyncProperty(
        rowsOf,
        fc.integer({ min: 1, max: 8 }),
        fc.integer({ min: 1, max: 8 }),
        async (rows, limit, maximum) => {
          const all = rows.map(({ position }) => position).toSorted();
          expect(await readAll(indexOf(rows, maximum), limit)).toEqual(all.toReversed());
        },
      ),
      { numRuns: runs(200), seed: 20261130 },
    );
  });

  it('returns a row once that moves to another partition during the read', async () => {
    const [first = '', second = '', third = ''] = query.partitions;
    const rows = [
      { position: 'ret_003', partition: second },
      { position: 'ret_002', partition: first },
      { position: 'ret_002', partition: third },
      { position: 'ret_001', partition: first },
    ];
    for (const limit of [1, 2, 3])
      expect(await readAll(indexOf(rows, 9), limit)).toEqual(['ret_003', 'ret_002', 'ret_001']);
  });
});
