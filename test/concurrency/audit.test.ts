import { describe, expect, it } from 'vitest';
import { pack, unpack } from '../../lib/store/engine/pack.ts';
import { itemsOf } from '../bench/service/items.ts';
import { returnIdOf, seedOf } from '../bench/service/seeds.ts';
import { audit } from '../support/audit.ts';
import { sortItems, type Item } from '../support/audit/stored.ts';
import { nameTable } from '../support/environment.ts';

nameTable();

const items = itemsOf(seedOf(0));
const faultsOf = (found: readonly Item[]) => audit(sortItems(found));

const indexOf = (pk: string, sk: string): number =>
  items.findIndex((item) => item.pk.startsWith(pk) && item.sk.startsWith(sk));

const without = (pk: string, sk: string): readonly Item[] => items.toSpliced(indexOf(pk, sk), 1);

/** Returns the items, one of them with a changed value. */
const changed = (pk: string, sk: string, change: object): readonly Item[] => {
  const index = indexOf(pk, sk);
  const item = items[index];
  if (item === undefined) throw new Error(`there is no ${pk} ${sk}`);
  const value = { ...(unpack(item['value'] as string, item['summary'] as string | undefined) as object), ...change };
  return items.with(index, { ...item, value: pack(value) });
};

const answer = (shown: object): Item => ({
  pk: 'IDEMPOTENCY#bench#1',
  sk: 'ANSWER',
  value: pack({ status: 200, shown }),
});

describe('audit', () => {
  it('finds no error in items that commands wrote', () => {
    expect(faultsOf(items)).toEqual([]);
  });

  it.each<[string, readonly Item[], string]>([
    ['an entry without its snapshot', without('RETURN#', 'SNAPSHOT'), 'but no snapshot'],
    ['a snapshot without its last entry', without('RETURN#', 'HISTORY#0000000002'), 'not the fold'],
    ['a snapshot of another status', changed('RETURN#', 'SNAPSHOT', { status: 'completed' }), 'not the fold'],
    ['a gap in a history', without(`RETURN#${returnIdOf(1)}`, 'HISTORY#0000000001'), 'entry 1 is missing'],
    ['an entry that was changed', changed('RETURN#', 'HISTORY#', { causationId: 'x' }), 'another hash'],
    ['an entry that follows another one', changed('RETURN#', 'HISTORY#', { previousHash: 'x' }), 'breaks the chain'],
    [
      'a return that is not in the ledger',
      without('ORDER#', 'LEDGER'),
      'returns of the ledger is 0, by its returns 10',
    ],
    ['money without a grant', changed('ORDER#', 'LEDGER', { given: { amount: 1, shipping: 0 } }), 'given of'],
    ['returns without their order', without('ORDER#', 'FACTS'), 'but no order'],
    ['an RMA number without a return', without('RMA#', 'MARKER'), 'does not lead to'],
    [
      'a reference that no return has',
      [...items, { pk: 'EXTERNAL#web#1', sk: 'MARKER', returnId: 'ret_1' }],
      'does not bear it',
    ],
    ['a stored response without a history', [...items, answer({ id: 'ret_1', version: 1 })], 'never was'],
  ])('finds %s', (_, found, expected) => {
    expect(faultsOf(found).join('\n')).toContain(expected);
  });
});
