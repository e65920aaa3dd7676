import { describe, expect, test } from 'vitest';
import { fail, ok } from '../../lib/contract/result.ts';
import { readEach } from '../../lib/platforms/shared/http/read-each.ts';

const odd = { kind: 'permanent', reason: 'odd' } as const;
const down = { kind: 'retryable', reason: 'down' } as const;
const read = (node: string) => (node === 'odd' ? fail(odd) : node === 'down' ? fail(down) : ok(node.toUpperCase()));

describe('readEach', () => {
  test.each([
    [[], ok({ read: [] })],
    [['a', 'b'], ok({ read: ['A', 'B'] })],
    [['a', 'odd', 'b'], ok({ read: ['A', 'B'], unread: odd })],
    [['odd', 'odd'], ok({ read: [], unread: odd })],
    [['odd', 'a', 'down'], fail(down)],
  ])('reads %j as %j', (nodes, expected) => {
    expect(readEach(nodes, read)).toEqual(expected);
  });
});
