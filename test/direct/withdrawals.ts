import { randomUUID } from 'node:crypto';
import { expect } from 'vitest';
import type { OperationName } from '../../lib/contract/contract.ts';
import { shopOrder } from '../support/scenario.ts';

/** Runs an operation that must succeed. */
type Run = (name: OperationName, input: object, more?: object) => Promise<object | undefined>;

const key = () => ({ idempotencyKey: randomUUID() });

const idIn = (reply: object | undefined): string =>
  (reply as { readonly body: { readonly withdrawalId: string } }).body.withdrawalId;

/** Runs every operation on withdrawals: one that is answered for an order, and a mistaken one. */
export const handleWithdrawals = async (run: Run): Promise<void> => {
  // No law grants a right there, so the answer is left to staff.
  const order = { platform: 'web', orderId: randomUUID() };
  await run('registerOrder', { ...order, ...shopOrder({ country: 'US' }) }, key());
  const content = { name: 'Ada', email: 'ada@example.com', contract: randomUUID() };
  const declared = await run('declareWithdrawal', content, key());
  expect(declared).toMatchObject({ status: 201, version: 2, body: { receipt: { status: 'due' } } });
  const withdrawalId = idIn(declared);
  expect(await run('getWithdrawal', { withdrawalId })).toMatchObject({ version: 2, body: { declaration: content } });
  expect(await run('getWithdrawalReceipt', { withdrawalId })).toMatchObject({ body: { language: 'en' } });
  expect(await run('getMessage', { resourceId: withdrawalId, sequence: 2 })).toMatchObject({
    body: { name: 'withdrawal_receipt', to: { email: content.email } },
  });
  expect(await run('getWithdrawalHistory', { withdrawalId })).toMatchObject({
    body: { items: [{ sequence: 1 }, { sequence: 2 }], nextCursor: null },
  });
  expect(await run('verifyWithdrawalHistory', { withdrawalId })).toMatchObject({ body: { entries: 2, valid: true } });
  expect(await run('listWithdrawals', { receipt: 'due', limit: 1 })).toMatchObject({ status: 200 });
  const report = { withdrawalId, sentAt: new Date().toISOString(), channel: 'email' };
  expect(await run('recordReceiptSent', report, key())).toMatchObject({ version: 3 });
  expect(await run('matchWithdrawal', { withdrawalId, order }, key())).toMatchObject({ version: 4 });
  const answer = { answer: 'no_right', rule: '2011/83/EU#16.e', source: 'https://law.example/16' };
  expect(await run('answerWithdrawal', { withdrawalId, ...answer }, key())).toMatchObject({ version: 5 });
  const other = idIn(await run('declareWithdrawal', { ...content, contract: randomUUID() }, key()));
  const mistaken = { withdrawalId: other, reason: 'mistake' };
  expect(await run('withdrawWithdrawal', mistaken, key())).toMatchObject({ body: { status: 'withdrawn' } });
};
