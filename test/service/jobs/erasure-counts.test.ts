import { randomUUID } from 'node:crypto';
import { afterAll, describe, expect, it } from 'vitest';
import * as backend from '../../../lib/edge/backend/standalone.ts';
import type { Output } from '../../../lib/contract/contract.ts';
import { jobRunner } from '../../../lib/service/jobs/run-job.ts';
import type { OrderRef } from '../../../lib/domain/returns/model/order.ts';
import { openSession } from '../../../lib/store/engine/session.ts';
import { settleDelivery, storeDelivery } from '../../../lib/store/inbox/inbox.ts';
import type { InboxRow } from '../../../lib/store/inbox/inbox-row.ts';
import { evidenceKey } from '../../../lib/store/personal/evidence.ts';
import { startEngines } from '../../shops/inbox/engines.ts';
import { storedRow } from '../../shops/inbox/support.ts';
import { announcementOf } from '../../support/attachments.ts';
import { backendCall } from '../../support/backend-call.ts';
import { unitReceipts } from '../../support/history-keys.ts';
import { setEnvironment } from '../../support/environment.ts';
import { executeRequest } from '../../support/life-of-backend.ts';
import { create, register } from '../../support/life.ts';
import { ampleDeadline } from '../../support/time.ts';
import { workers } from './worker.ts';

const engines = await startEngines();
setEnvironment(unitReceipts);
const { workOff } = workers(engines.jobsUrl, jobRunner(backend));
const session = openSession(ampleDeadline());
afterAll(async () => {
  session[Symbol.dispose]();
  await engines.stop();
});

const [, evidenceBucket = ''] = engines.bucketUrls;

type Subject = { readonly platform: string; readonly customerId: string };

const orderOf = async (customerId: string, units: number): Promise<OrderRef> => {
  const order = { platform: 'web', orderId: randomUUID() };
  const facts = register(order, units);
  const body = { ...facts.body, customer: { id: customerId, name: 'Ada' } };
  await executeRequest(backend, { ...facts, body }, backendCall());
  return order;
};

const returnOf = async (order: OrderRef): Promise<string> => {
  const { reply } = await executeRequest(backend, create(order, 1, randomUUID()), backendCall());
  return (reply.body as Output<'getReturn'>).returnId;
};

const addFile = async (returnId: string): Promise<void> => {
  const file = Buffer.from(returnId);
  const announced = { ...announcementOf(file), contentType: 'image/jpeg' as const };
  const added = await backend.addAttachment({ returnId, ...announced }, backendCall());
  if (!added.ok) throw new Error(added.failure.detail);
  const key = evidenceKey({ id: returnId }, added.value.body.attachment.id);
  await fetch(`${evidenceBucket}/${key}`, { method: 'PUT', body: file });
};

const addDelivery = async (order: OrderRef): Promise<void> => {
  const row: InboxRow = {
    ...storedRow('orders/updated'),
    platform: 'web',
    deliveryId: randomUUID(),
    bodyHash: randomUUID(),
    receivedAt: new Date().toISOString(),
    expiresAt: Math.floor(Date.now() / 1000) + 3600,
  };
  await storeDelivery(session, row);
  await settleDelivery(session, row, { status: 'ignored', reason: 'nothing_new', order }, new Date().toISOString());
};

const declareFor = async (order: OrderRef): Promise<void> => {
  const declaration = { name: 'Ada', email: 'ada@example.com', contract: order.orderId };
  const declared = await backend.declareWithdrawal(declaration, backendCall());
  if (!declared.ok) throw new Error(declared.failure.detail);
  const { withdrawalId } = declared.value.body;
  expect(await backend.matchWithdrawal({ withdrawalId, order }, backendCall())).toMatchObject({ ok: true });
};

const erase = async (subject: Subject, countOnly: boolean) => {
  const started = await backend.eraseCustomer({ ...subject, countOnly }, backendCall());
  if (!started.ok) throw new Error(started.failure.detail);
  await workOff();
  const read = await backend.getJob({ jobId: started.value.body.jobId }, backendCall());
  if (!read.ok || read.value.body.kind !== 'erasure') throw new Error('no such erasure');
  return read.value.body.report;
};

describe('an erasure that only counts', () => {
  it('counts an order once whose returns are on two pages', async () => {
    const subject = { platform: 'web', customerId: randomUUID() };
    const order = await orderOf(subject.customerId, 11);
    const first = await returnOf(order);
    // A page has ten returns: the first return is on the second page.
    for (let count = 0; count < 10; count += 1) await returnOf(order);
    await addFile(first);
    await addDelivery(order);
    const counted = await erase(subject, true);
    expect(counted).toMatchObject({ erased: { persons: 1, files: 1, deliveries: 1 }, kept: { returns: 11 } });
    expect(await erase(subject, false)).toEqual(counted);
  });

  it('counts the order of an earlier page that has returns of another customer', async () => {
    const subject = { platform: 'web', customerId: randomUUID() };
    const [shared, other] = [await orderOf(subject.customerId, 12), await orderOf(subject.customerId, 12)];
    await addFile(await returnOf(shared));
    for (let count = 0; count < 10; count += 1) await returnOf(other);
    // The order gets another customer, whose return is newer than all of these.
    const facts = register(shared, 12, { observedAt: '2026-11-03T00:00:00Z' });
    const body = { ...facts.body, customer: { id: randomUUID(), name: 'Eve' } };
    await executeRequest(backend, { ...facts, body }, backendCall());
    await returnOf(shared);
    const counted = await erase(subject, true);
    expect(counted).toMatchObject({ erased: { files: 1 }, kept: { returns: 11 } });
    expect(await erase(subject, false)).toEqual(counted);
  });

  it('counts a withdrawal once that belongs to the order and to its customer', async () => {
    const subject = { platform: 'web', customerId: randomUUID() };
    const order = await orderOf(subject.customerId, 2);
    await returnOf(order);
    const { texts: before } = (await erase(subject, true)).erased;
    await declareFor(order);
    const counted = await erase(subject, true);
    // The name, the address and the contract.
    expect(counted.erased.texts).toBe(before + 3);
    expect(await erase(subject, false)).toEqual(counted);
  });
});
