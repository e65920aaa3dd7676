import { describe, expect, it } from 'vitest';
import { writeOrder } from '../../lib/store/orders/orders.ts';
import { ledgerHolding, order } from '../support/orders.ts';
import { setEnvironment } from '../support/environment.ts';

setEnvironment({ TABLE_NAME: 'unit' });

describe('order writes', () => {
  it.each([
    ['of a new order', undefined, 0],
    ['of a changed order', order(), 3],
  ])('bind the facts %s to the version of the ledger that was read', (_, before, ledgerVersion) => {
    const next = { ...order(), version: (before?.version ?? 0) + 1 };
    const writes = writeOrder(next, { order: before, ledger: ledgerHolding({ '1': 2 }), ledgerVersion });
    const present = (version: number) =>
      version === 0
        ? { ConditionExpression: 'attribute_not_exists(pk)' }
        : { ConditionExpression: '#version = :version', ExpressionAttributeValues: { ':version': version } };
    expect(writes.filter(({ guards }) => guards !== 'orderNumber')).toMatchObject([
      { guards: 'order', action: { Put: present(before?.version ?? 0) } },
      { guards: 'ledger', action: { Put: { ...present(ledgerVersion), Item: { version: ledgerVersion + 1 } } } },
    ]);
  });

  it('lead from each new number to the order', () => {
    const before = order();
    const numbered = { ...before, version: 2, facts: { ...before.facts, number: '#1002' } };
    const guards = (next: typeof before) =>
      writeOrder(next, { order: before, ledger: ledgerHolding({}), ledgerVersion: 1 }).map((write) => write.guards);
    expect(guards(numbered)).toContain('orderNumber');
    expect(guards({ ...before, version: 2 })).not.toContain('orderNumber');
  });
});
