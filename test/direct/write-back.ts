import { randomUUID } from 'node:crypto';
import { expect } from 'vitest';
import type { OperationName } from '../../lib/contract/contract.ts';
import { putIntent } from '../support/intents.ts';
import { ownPlatform } from '../support/intent-writes.ts';
import { stack } from '../support/stack.ts';

/** Runs an operation that must succeed. */
type Run = (name: OperationName, input: object, more?: object) => Promise<object | undefined>;

const key = () => ({ idempotencyKey: randomUUID() });

/** Runs every operation on write-back: the setting of a shop, and two parked intents of it. */
export const handleWriteBack = async (run: Run): Promise<void> => {
  const platform = ownPlatform();
  const [first, second] = [await putIntent(stack()), await putIntent(stack())];
  const setting = { platform, actions: { approve: 'shadow' } };
  expect(await run('setWriteBack', setting, { ifMatch: 0 })).toMatchObject({ status: 201, version: 1 });
  expect(await run('getWriteBack', { platform })).toMatchObject({ version: 1, body: { isEnabled: false } });
  expect(await run('reportWriteBack', { platform })).toMatchObject({ body: { examined: 0, actions: [] } });
  await run('listIntents', { status: 'parked', limit: 1 });
  expect(await run('getIntent', { intentId: first.id })).toMatchObject({ version: 1, body: { status: 'parked' } });
  const statement = { intentId: first.id, outcome: 'done', externalId: '871' };
  expect(await run('resolveIntent', statement, key())).toMatchObject({ version: 2, body: { by: 'statement' } });
  expect(await run('retryIntent', { intentId: second.id }, key())).toMatchObject({ body: { status: 'planned' } });
};
