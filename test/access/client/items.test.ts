import { describe, expect, it } from 'vitest';
import { items } from '../../../lib/access/client/returns-client.ts';

const collect = async (pages: Readonly<Record<string, object>>) => {
  const read: string[] = [];
  const found: unknown[] = [];
  const page = async (cursor = '') => {
    read.push(cursor);
    return { ok: true, value: { status: 200, body: pages[cursor] } } as never;
  };
  for await (const item of items(page)) found.push(item.ok ? item.value : item.failure);
  return { read, found };
};

describe('items of a list', () => {
  it('end where there is no cursor', async () => {
    const pages = {
      '': { items: [1], nextCursor: 'a' },
      a: { items: [], nextCursor: 'b' },
      b: { items: [2], nextCursor: null },
    };
    expect(await collect(pages)).toEqual({ read: ['', 'a', 'b'], found: [1, 2] });
  });

  it('end where an endless list has no new items', async () => {
    const pages = {
      '': { items: [1], nextCursor: 'a' },
      a: { items: [2], nextCursor: 'b' },
      b: { items: [], nextCursor: 'b' },
    };
    expect(await collect(pages)).toEqual({ read: ['', 'a', 'b'], found: [1, 2] });
  });

  it.each([
    ['without a cursor', { items: [1] }],
    ['without items', { nextCursor: null }],
  ])('fail with a page %s, which violates the contract', async (_, page) => {
    const found = [expect.objectContaining({ code: 'dependency_refused' })];
    expect(await collect({ '': page })).toEqual({ read: [''], found });
  });
});
