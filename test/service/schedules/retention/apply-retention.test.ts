import { randomUUID } from 'node:crypto';
import { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { DynamoDBDocumentClient, GetCommand, QueryCommand, UpdateCommand } from '@aws-sdk/lib-dynamodb';
import { ulid } from 'ulid';
import { describe, expect, it, vi } from 'vitest';
import type { Output } from '../../../../lib/contract/contract.ts';
import { applyRetention } from '../../../../lib/service/schedules/retention/apply-retention.ts';
import type { OrderRef } from '../../../../lib/domain/returns/model/order.ts';
import { orderKey, personKey, personPartition, trackingKey } from '../../../../lib/store/engine/keys.ts';
import { openSession } from '../../../../lib/store/engine/session.ts';
import { transact } from '../../../../lib/store/engine/transact.ts';
import type { ErasureJob } from '../../../../lib/store/jobs/job.ts';
import { writeNewJob } from '../../../../lib/store/jobs/jobs.ts';
import { evidenceKey } from '../../../../lib/store/personal/evidence.ts';
import { startSchedules } from '../support.ts';
import { announcementOf } from '../../../support/attachments.ts';
import { backendCall } from '../../../support/backend-call.ts';
import { setEnvironment } from '../../../support/environment.ts';
import { executeRequest } from '../../../support/life-of-backend.ts';
import { create, register } from '../../../support/life.ts';
import { hearLines } from '../../../support/standard-output.ts';
import { ampleDeadline, contextWith, withTimeLeft } from '../../../support/time.ts';

const personalDays = 30;
const orderDays = 400;
setEnvironment({
  PERSONAL_RETENTION_DAYS: String(personalDays),
  ORDER_RETENTION_DAYS: String(orderDays),
});
const { engines, backendWith } = await startSchedules();
const backend = backendWith({});
const table = DynamoDBDocumentClient.from(new DynamoDBClient({}));
const [, evidenceBucket = ''] = engines.bucketUrls;

const dayMs = 86_400_000;
const runAfter = async (days: number, context = contextWith()) =>
  applyRetention({}, context, Date.now() + days * dayMs);

const subjectOf = ({ platform, orderId }: OrderRef) => `${platform}:customer:customer-of-${orderId}`;

type Made = { readonly order: OrderRef; readonly returnId: string; readonly trackingNumber: string };

/** Creates an approved return with a note, a parcel and a file, of its own customer. */
const createStored = async (): Promise<Made> => {
  const order = { platform: 'web', orderId: randomUUID() };
  const trackingNumber = `JJD-${order.orderId}`;
  await executeRequest(backend, register(order, 3), backendCall());
  const { returnId } = (await executeRequest(backend, create(order, 1, randomUUID()), backendCall())).reply
    .body as Output<'createReturn'>;
  await backend.approve({ returnId }, backendCall());
  await backend.addParcel({ returnId, trackingNumber, labelUrl: 'https://carrier.example/l/1' }, backendCall());
  const added = await backend.addAttachment(
    { returnId, ...announcementOf(Buffer.from('photo')), contentType: 'image/jpeg' },
    backendCall(),
  );
  if (!added.ok) throw new Error(added.failure.detail);
  const key = evidenceKey({ id: returnId }, added.value.body.attachment.id);
  await fetch(`${evidenceBucket}/${key}`, { method: 'PUT', body: 'photo' });
  return { order, returnId, trackingNumber };
};

const end = async ({ returnId }: Pick<Made, 'returnId'>) => {
  expect(await backend.cancel({ returnId, note: 'changed their mind' }, backendCall())).toMatchObject({ ok: true });
};
const ended = async (): Promise<Made> => {
  const one = await createStored();
  await end(one);
  return one;
};

/** Returns the stored personal data: rows of texts, the customer, the row of the tracking number, and files. */
const storedPersonalData = async ({ order, returnId, trackingNumber }: Made) => {
  const subject = subjectOf(order);
  const { Items = [] } = await table.send(
    new QueryCommand({
      TableName: engines.table,
      KeyConditionExpression: 'pk = :pk',
      ExpressionAttributeValues: { ':pk': personPartition(subject) },
      ConsistentRead: true,
    }),
  );
  const tracking = await table.send(
    new GetCommand({ TableName: engines.table, Key: trackingKey(trackingNumber, returnId) }),
  );
  const listing = await (await fetch(`${evidenceBucket}?versions&prefix=pii/${returnId}/`)).text();
  return {
    texts: Items.some(({ sk }) => sk !== personKey(subject).sk),
    person: Items.some(({ sk, value }) => sk === personKey(subject).sk && value !== undefined),
    tracking: tracking.Item !== undefined,
    files: listing.includes('<Key>'),
  };
};
const all = { texts: true, person: true, tracking: true, files: true };
const nothing = { texts: false, person: false, tracking: false, files: false };

const isValid = async (returnId: string) => {
  const verified = await backend.verifyHistory({ returnId }, backendCall());
  return verified.ok && verified.value.body.valid;
};
/** Returns the actors as readers of the history see them. */
const actorsOf = async (returnId: string) => {
  const history = await backend.getHistory({ returnId }, backendCall());
  if (!history.ok) throw new Error(history.failure.code);
  return history.value.body.items.map(({ actor }) => {
    const { sealed: _, ...shown } = actor;
    return shown;
  });
};
const statusOf = async ({ platform, orderId }: OrderRef) => {
  const found = await backend.getOrder({ platform, orderId }, backendCall());
  return found.ok ? 'found' : found.failure.code;
};

describe('retention of personal data', () => {
  it('keeps it for the configured period, and then deletes it with files and tracking numbers', async () => {
    const [over, open] = [await ended(), await createStored()];
    expect(await runAfter(personalDays - 1)).toMatchObject({ texts: 0, files: 0, persons: 0, orders: 0 });
    expect(await storedPersonalData(over)).toEqual(all);
    const both = await Promise.all([runAfter(personalDays + 1), runAfter(personalDays + 1)]);
    expect(both.map(({ through, failed }) => ({ through, failed }))).toContainEqual({ through: true, failed: 0 });
    expect(await storedPersonalData(over)).toEqual(nothing);
    expect(await storedPersonalData(open)).toEqual(all);
    const read = await backend.getReturn({ returnId: over.returnId }, backendCall());
    expect(read).toMatchObject({
      ok: true,
      value: { body: { status: 'cancelled', customer: { erased: true }, cancellation: { erased: true } } },
    });
    expect(JSON.stringify(read)).not.toMatch(/marker|JJD-|carrier\.example/i);
    const [overActors, still] = [await actorsOf(over.returnId), await actorsOf(open.returnId)];
    expect(overActors).toEqual(overActors.map(() => ({ clientId: 'test', erased: true })));
    expect(still).toEqual(still.map(() => ({ clientId: 'test', onBehalfOf: 'returns-partner/agent-7' })));
    expect(await isValid(over.returnId)).toBe(true);
    expect(await statusOf(over.order)).toBe('found');
    expect(await runAfter(personalDays + 1)).toMatchObject({ texts: 0, files: 0, persons: 0, through: true });
  });

  it('keeps it for a reopened return and its customer, until the return has ended for that period', async () => {
    const one = await ended();
    expect(await backend.reopen({ returnId: one.returnId, reason: 'by mistake' }, backendCall())).toMatchObject({
      ok: true,
    });
    await runAfter(personalDays + 1);
    expect(await storedPersonalData(one)).toEqual(all);
    await end(one);
    await runAfter(personalDays + 3);
    expect(await storedPersonalData(one)).toEqual(nothing);
    expect(await isValid(one.returnId)).toBe(true);
  });

  it('also deletes texts that are added to an ended return', async () => {
    const one = await ended();
    await runAfter(personalDays + 1);
    await backend.addNote({ returnId: one.returnId, text: 'they called' }, backendCall());
    expect(await storedPersonalData(one)).toMatchObject({ texts: true });
    await runAfter(personalDays + 1);
    expect(await storedPersonalData(one)).toEqual(nothing);
  });

  it('deletes a customer without returns', async () => {
    const order = { platform: 'web', orderId: randomUUID() };
    await executeRequest(backend, register(order, 1), backendCall());
    const one = { order, returnId: 'ret_none', trackingNumber: 'none' };
    await runAfter(personalDays - 1);
    expect(await storedPersonalData(one)).toMatchObject({ person: true });
    await runAfter(personalDays + 1);
    expect(await storedPersonalData(one)).toEqual(nothing);
  });

  it('deletes a customer who was stored before the period was configured', async () => {
    const one = await ended();
    const Key = personKey(subjectOf(one.order));
    await table.send(new UpdateCommand({ TableName: engines.table, Key, UpdateExpression: 'REMOVE listKey, dueKey' }));
    await runAfter(personalDays + 1);
    expect(await storedPersonalData(one)).toEqual(nothing);
  });

  it('leaves data to the next run when the time is over, or when it is unreadable', async () => {
    const [broken, other] = [await ended(), await ended()];
    expect(await withTimeLeft(9_000, async (context) => runAfter(personalDays + 1, context))).toMatchObject({
      texts: 0,
      persons: 0,
      through: false,
    });
    expect(await storedPersonalData(broken)).toEqual(all);
    const pk = personPartition(subjectOf(broken.order));
    const { Items = [] } = await table.send(
      new QueryCommand({
        TableName: engines.table,
        KeyConditionExpression: 'pk = :pk AND begins_with(sk, :texts)',
        ExpressionAttributeValues: { ':pk': pk, ':texts': 'RETURN#' },
      }),
    );
    const [row] = Items as { sk: string; value: unknown }[];
    const write = async (value: unknown) =>
      table.send(
        new UpdateCommand({
          TableName: engines.table,
          Key: { pk, sk: row?.sk },
          UpdateExpression: 'SET #value = :value',
          ExpressionAttributeNames: { '#value': 'value' },
          ExpressionAttributeValues: { ':value': value },
        }),
      );
    await write('{');
    await expect(runAfter(personalDays + 1)).rejects.toMatchObject({ name: 'ScheduleFailed' });
    expect(await storedPersonalData(other)).toEqual(nothing);
    expect(await storedPersonalData(broken)).toMatchObject({ texts: true });
    await write(row?.value);
    expect(await runAfter(personalDays + 1)).toMatchObject({ failed: 0 });
    expect(await storedPersonalData(broken)).toEqual(nothing);
  });
});

describe('retention of order facts', () => {
  it('keeps them for the configured period, and while a return is open', async () => {
    const [over, open] = [await ended(), await createStored()];
    const bare = { platform: 'web', orderId: randomUUID() };
    await executeRequest(backend, register(bare, 1), backendCall());
    await runAfter(orderDays - 1);
    expect([await statusOf(over.order), await statusOf(open.order), await statusOf(bare)]).toEqual(
      Array.from({ length: 3 }, () => 'found'),
    );
    await runAfter(orderDays + 1);
    expect([await statusOf(over.order), await statusOf(open.order), await statusOf(bare)]).toEqual([
      'order_not_found',
      'found',
      'order_not_found',
    ]);
    expect(await isValid(over.returnId)).toBe(true);
    const read = await backend.getReturn({ returnId: over.returnId }, backendCall());
    const addNote = { action: 'addNote', scope: 'returns:write', allowed: false, blockedBy: 'order_removed' };
    expect(read).toMatchObject({
      ok: true,
      value: { body: { allowedActions: expect.arrayContaining([addNote]) } },
    });
    const rejected = { ok: false, failure: { code: 'invalid_transition' } };
    expect(await backend.addNote({ returnId: over.returnId, text: 'late' }, backendCall())).toMatchObject(rejected);
    const quoted = await backend.quoteReturn({ returnId: over.returnId }, backendCall());
    expect(quoted).toMatchObject({ ok: false, failure: { code: 'order_not_found' } });
    await end(open);
    await runAfter(orderDays + 3);
    expect(await statusOf(open.order)).toBe('order_not_found');
  });

  it('restores them when a shop registers the order again, with the amounts already given', async () => {
    const order = { platform: 'web', orderId: randomUUID() };
    await executeRequest(backend, register(order, 3), backendCall());
    const refund = {
      ...order,
      externalId: 'refund-1',
      amount: { amount: 1999, currency: 'EUR' },
      lines: [{ orderLineId: '11', quantity: 1 }],
      occurredAt: new Date().toISOString(),
    };
    const recorded = await backend.recordRefund(refund, backendCall());
    expect(recorded).toMatchObject({ ok: true });
    const returnable = async () => {
      const found = await backend.getReturnable(order, backendCall());
      return found.ok ? found.value.body.lines.map((line) => line.returnable) : found.failure.code;
    };
    const before = await returnable();
    await runAfter(orderDays + 1);
    expect(await returnable()).toBe('order_not_found');
    const again = await executeRequest(backend, register(order, 3), backendCall());
    expect(again.reply.status).toBe(201);
    expect(await returnable()).toEqual(before);
    expect(await backend.recordRefund(refund, backendCall())).toMatchObject({
      ok: true,
      value: { body: { refundId: recorded.ok ? recorded.value.body.refundId : undefined } },
    });
    expect(await returnable()).toEqual(before);
  });

  it('deletes them for an order that was registered before the period was configured', async () => {
    const one = await ended();
    await table.send(
      new UpdateCommand({
        TableName: engines.table,
        Key: orderKey(one.order),
        UpdateExpression: 'REMOVE listKey, dueKey',
      }),
    );
    await runAfter(orderDays + 1);
    expect(await statusOf(one.order)).toBe('order_not_found');
  });
});

describe('retention of declarations of withdrawal', () => {
  it('erases the texts the same time after the last change, and leaves the history', async () => {
    const now = Date.now();
    vi.useFakeTimers({ toFake: ['Date'], now });
    try {
      const content = { name: 'Ada Marker', email: 'ada@marker.example', contract: randomUUID() };
      const declared = await backend.declareWithdrawal(content, backendCall());
      if (!declared.ok) throw new Error(declared.failure.code);
      const { withdrawalId } = declared.value.body;
      const read = async () => {
        const found = await backend.getWithdrawal({ withdrawalId }, backendCall());
        return found.ok ? found.value.body : undefined;
      };
      vi.setSystemTime(now + 10 * dayMs);
      const sent = { withdrawalId, sentAt: new Date().toISOString(), channel: 'email' as const };
      expect(await backend.recordReceiptSent(sent, backendCall())).toMatchObject({ ok: true });
      vi.setSystemTime(now);
      await runAfter(orderDays - 1);
      // It is due by the declaration, and postponed by the later change.
      await runAfter(orderDays + 1);
      expect(await read()).toMatchObject({ declaration: content });
      expect(await runAfter(orderDays + 11)).toMatchObject({ failed: 0, through: true });
      expect(await read()).toMatchObject({ erased: true, version: 3, receipt: { status: 'sent' } });
      expect(await backend.getWithdrawalReceipt({ withdrawalId }, backendCall())).toMatchObject({
        failure: { code: 'receipt_erased' },
      });
      expect(await backend.declareWithdrawal(content, backendCall())).toMatchObject({ value: { status: 201 } });
      expect(await runAfter(orderDays + 12)).toMatchObject({ failed: 0 });
    } finally {
      vi.useRealTimers();
    }
  });
});

describe('stuck erasures', () => {
  const storeErasure = async (ageMs: number, changes: Partial<ErasureJob> = {}) => {
    const createdAt = new Date(Date.now() - ageMs).toISOString();
    const job: ErasureJob = {
      id: `job_${ulid(Date.now() - ageMs)}`,
      kind: 'erasure',
      status: 'open',
      createdAt,
      createdBy: { clientId: 'test' },
      updatedAt: createdAt,
      request: { platform: 'web', customerId: randomUUID(), countOnly: false },
      ...changes,
    };
    using session = openSession(ampleDeadline());
    expect(await transact(session, [...writeNewJob(job, [])])).toMatchObject({ written: true });
  };

  const countIn = async (): Promise<unknown[]> => {
    const lines: Record<string, unknown>[] = [];
    const writing = hearLines((line) => lines.push(JSON.parse(line) as Record<string, unknown>));
    await runAfter(0);
    writing.mockRestore();
    return lines.flatMap(({ ErasuresStuck: value }) => (value === undefined ? [] : [value]));
  };

  it('are counted when they have not ended after a day', async () => {
    expect(await countIn()).toEqual([0]);
    await storeErasure(dayMs - 60_000);
    await storeErasure(2 * dayMs, { status: 'done' });
    await storeErasure(2 * dayMs, { status: 'failed' });
    await storeErasure(2 * dayMs, { request: { platform: 'web', customerId: 'c', countOnly: true } });
    await storeErasure(16 * dayMs);
    expect(await countIn()).toEqual([0]);
    await storeErasure(dayMs + 60_000);
    await storeErasure(14 * dayMs);
    expect(await countIn()).toEqual([2]);
  });

  it('are counted beyond one page of jobs', async () => {
    for (let erasures = 0; erasures < 101; erasures += 1) await storeErasure(3 * dayMs, { status: 'done' });
    await storeErasure(4 * dayMs);
    expect(await countIn()).toEqual([3]);
  });
});
