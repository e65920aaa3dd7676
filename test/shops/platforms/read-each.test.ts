import { describe, expect, test } from 'vitest';
import { fail, ok } from '../../../lib/runtime/result.ts';
import { readEach } from '../../../lib/shops/platforms/shared/http/read-each.ts';

const unreadable = { kind: 'permanent', reason: 'bad' } as const;
const down = { kind: 'retryable', reason: 'down' } as const;
const read = (node: string) =>
  node === 'bad' ? fail(unreadable) : node === 'down' ? fail(down) : ok(node.toUpperCase());

describe('readEach', () => {
  test.each([
    [[], ok({ read: [] })],
    [['a', 'b'], ok({ read: ['A', 'B'] })],
    [['a', 'bad', 'b'], ok({ read: ['A', 'B'], unread: unreadable })],
    [['bad', 'bad'], ok({ read: [], unread: unreadable })],
    [['bad', 'a', 'down'], fail(down)],
  ])('reads %j as %j', (nodes, expected) => {
    expect(readEach(nodes, read)).toEqual(expected);
  });
});
