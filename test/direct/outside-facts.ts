import { randomUUID } from 'node:crypto';
import { expect } from 'vitest';
import type { OperationName } from '../../lib/contract/contract.ts';
import { eur } from '../support/orders.ts';
import { importOf, shopOrder } from '../support/scenario.ts';

/** Runs an operation that must succeed. */
type Run = (name: OperationName, input: object, more?: object) => Promise<object | undefined>;

/** Runs every operation that records what happened outside: a refund of an order, and a return of another system. */
export const handleOutsideFacts = async (run: Run): Promise<void> => {
  const order = { platform: 'web', orderId: randomUUID() };
  await run('registerOrder', { ...order, ...shopOrder() });
  await run('recordRefund', { ...order, externalId: '1', amount: eur(1), occurredAt: '2026-11-20T08:00:00Z' });
  const imported = await run('importReturn', { ...importOf(), source: 'loop', externalId: order.orderId });
  expect(imported).toMatchObject({ status: 201, version: 1, body: { status: 'approved' } });
};
