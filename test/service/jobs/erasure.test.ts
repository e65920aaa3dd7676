import { createHash, randomUUID } from 'node:crypto';
import { gunzipSync, gzipSync } from 'node:zlib';
import { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { DynamoDBDocumentClient, ScanCommand } from '@aws-sdk/lib-dynamodb';
import { afterAll, beforeEach, describe, expect, it } from 'vitest';
import * as backend from '../../../lib/edge/backend/standalone.ts';
import type { Input, Output } from '../../../lib/contract/contract.ts';
import type { Call } from '../../../lib/contract/port.ts';
import { jobRunner } from '../../../lib/service/jobs/run-job.ts';
import { entryHash } from '../../../lib/domain/returns/history/history.ts';
import type { OrderRef } from '../../../lib/domain/returns/model/order.ts';
import { unpack } from '../../../lib/store/engine/pack.ts';
import { openSession } from '../../../lib/store/engine/session.ts';
import { readDomainEvents, readUnlisted } from '../../../lib/store/events/outbox.ts';
import { bodyKeyOf, putBody } from '../../../lib/store/inbox/inbox-bodies.ts';
import type { InboxRow } from '../../../lib/store/inbox/inbox-row.ts';
import { settleDelivery, type Settlement, storeDelivery } from '../../../lib/store/inbox/inbox.ts';
import { evidenceKey } from '../../../lib/store/personal/evidence.ts';
import { startEngines } from '../../shops/inbox/engines.ts';
import { announcementOf } from '../../support/attachments.ts';
import { backendCall } from '../../support/backend-call.ts';
import { executeRequest } from '../../support/life-of-backend.ts';
import { create, register, steps } from '../../support/life.ts';
import { inSoak } from '../../support/samples.ts';
import { storedEntry } from '../../support/stored-entry.ts';
import { ampleDeadline } from '../../support/time.ts';
import { hurried, workers } from './worker.ts';

const engines = await startEngines();

const { deliver, purge, take, workOff } = workers(engines.jobsUrl, jobRunner(backend));
const table = DynamoDBDocumentClient.from(new DynamoDBClient({}));
const session = openSession(ampleDeadline());
afterAll(async () => {
  session[Symbol.dispose]();
  await engines.stop();
});
beforeEach(purge);

const [, evidenceBucket = ''] = engines.bucketUrls;
/** The mark in every text, name and file of a customer, and nowhere else. */
const marker = (orderId: string): string => `marker-${orderId}`;

type Item = Readonly<Record<string, unknown>> & { readonly pk: string; readonly sk: string };

const scan = async (): Promise<Item[]> => {
  const items: Item[] = [];
  let start: Record<string, unknown> | undefined;
  do {
    const page = await table.send(new ScanCommand({ TableName: engines.table, ExclusiveStartKey: start }));
    items.push(...((page.Items ?? []) as Item[]));
    start = page.LastEvaluatedKey;
  } while (start !== undefined);
  return items;
};

/** Returns the full content of an item, for any encoding. */
const said = (item: Item): string =>
  Object.values(item)
    .map((value) => {
      if (!(value instanceof Uint8Array)) return JSON.stringify(value);
      // A delivery as received, or a packed value.
      if (value[0] === 0x1f) return gunzipSync(value).toString();
      return JSON.stringify(unpack(value, value === item['value'] ? (item['summary'] as Uint8Array) : undefined));
    })
    .join('\n');

/** Returns the places in the table and in the buckets that contain a text. */
const locationsOf = async (text: string): Promise<string[]> => {
  const rows = (await scan()).filter((item) => said(item).includes(text)).map(({ pk }) => pk.replace(/#.*/, ''));
  const files = await Promise.all(
    engines.bucketUrls.map(async (url) => {
      const listings = [`${url}?list-type=2`, `${url}?versions`].map(async (list) => (await fetch(list)).text());
      const listed = (await Promise.all(listings)).join('').matchAll(/<Key>([^<]+)<\/Key>(?:<VersionId>([^<]+))?/g);
      const contents = Array.from(listed, async ([, key, version = '']) =>
        Buffer.from(await (await fetch(`${url}/${key}${version && `?versionId=${version}`}`)).arrayBuffer()),
      );
      const texts = (await Promise.all(contents)).map((bytes) =>
        (bytes[0] === 0x1f ? gunzipSync(bytes) : bytes).toString(),
      );
      return texts.filter((found) => found.includes(text)).map(() => 'file');
    }),
  );
  return [...new Set([...rows, ...files.flat()])].toSorted();
};

/** Stores a shop's delivery of an order or a return, as a worker leaves it. */
const delivered = async (orderId: string, settlement: Settlement, large = false): Promise<void> => {
  const content = gzipSync(JSON.stringify({ id: randomUUID(), customer: { email: marker(orderId) } }));
  const head = {
    platform: 'shopify',
    source: 'shop.example',
    topic: 'orders/updated',
    deliveryId: randomUUID(),
    bodyHash: createHash('sha256').update(content).digest('hex'),
    byBody: true as const,
    receivedAt: new Date().toISOString(),
    traceId: '0'.repeat(32),
    status: 'received' as const,
    attempts: 0,
    expiresAt: Math.floor(Date.now() / 1000) + 3600,
  };
  const bodyKey = bodyKeyOf(head);
  if (large) await putBody(session, bodyKey, content);
  const row: InboxRow = { ...head, ...(large ? { bodyKey } : { body: content }) };
  await storeDelivery(session, row);
  await settleDelivery(session, row, settlement, new Date().toISOString());
};

type CustomerCase = { readonly order: OrderRef; readonly id: string; readonly customerId: string };

/** Returns a call for a represented person, by a client that names the person. */
const callFor = (orderId: string): Call => {
  const call = backendCall();
  return { ...call, caller: { ...call.caller, onBehalfOf: `shop/${marker(orderId)}` } };
};

/** Creates a return with all personal data of a customer: name, texts, a file, deliveries and onBehalfOf. */
const lived = async (named = true): Promise<CustomerCase> => {
  const order = { platform: 'web', orderId: randomUUID() };
  const { orderId } = order;
  const customerId = `customer-of-${orderId}`;
  const customer = { ...(named && { id: customerId }), email: `${marker(orderId)}@example.com`, name: marker(orderId) };
  const facts = register(order, 3);
  await executeRequest(backend, { ...facts, body: { ...facts.body, customer } }, callFor(orderId));
  const creation = create(order, 2, randomUUID());
  const source = { system: 'web', code: 'other', label: marker(orderId) };
  const { lines } = creation.body as { lines: readonly { reason: object }[] };
  const labelledLines = lines.map((line) => ({ ...line, reason: { ...line.reason, source } }));
  const created = await executeRequest(
    backend,
    { ...creation, body: { ...creation.body, lines: labelledLines } },
    callFor(orderId),
  );
  let now = { ...(created.reply.body as Output<'getReturn'>), order };
  const { returnId: id } = now;
  const words = { message: marker(orderId), note: marker(orderId), text: marker(orderId) };
  for (const step of [steps.requestInfo, steps.provideInfo, steps.approve, steps.receive, steps.addNote]) {
    const request = step(now, randomUUID());
    const texts = Object.entries(words).filter(([name]) => name in (request.body ?? {}));
    const worded = { ...request, body: { ...request.body, ...Object.fromEntries(texts) } };
    now = { ...((await executeRequest(backend, worded, callFor(orderId))).reply.body as Output<'getReturn'>), order };
  }
  const file = Buffer.from(marker(orderId));
  const announcement = { ...announcementOf(file), contentType: 'image/jpeg' as const };
  const added = await backend.addAttachment({ returnId: id, ...announcement }, callFor(orderId));
  if (!added.ok) throw new Error(added.failure.detail);
  const key = evidenceKey({ id }, added.value.body.attachment.id);
  // Old versions and a delete marker, which an erasure deletes too.
  for (const method of ['PUT', 'PUT', 'DELETE', 'PUT'])
    await fetch(`${evidenceBucket}/${key}`, { method, ...(method === 'PUT' && { body: file }) });
  await delivered(orderId, { status: 'done', returnId: id, order });
  await delivered(orderId, { status: 'ignored', reason: 'nothing_new', order }, true);
  return { order, id, customerId };
};

const begin = async (input: Input<'eraseCustomer'>): Promise<string> => {
  const started = await backend.eraseCustomer(input, backendCall());
  if (!started.ok) throw new Error(started.failure.detail);
  return started.value.body.jobId;
};
const jobOf = async (jobId: string) => {
  const read = await backend.getJob({ jobId }, backendCall());
  if (!read.ok || read.value.body.kind !== 'erasure') throw new Error('no such erasure');
  return read.value.body;
};
const erase = async (input: Input<'eraseCustomer'>) => {
  const id = await begin(input);
  await workOff();
  return jobOf(id);
};

/** Returns a return as an export contains it. */
const exportedOf = async (returnId: string): Promise<object | undefined> => {
  const started = await backend.createExport({ format: 'ndjson' }, backendCall());
  if (!started.ok) throw new Error(started.failure.detail);
  await workOff();
  const read = await backend.getJob({ jobId: started.value.body.jobId }, backendCall());
  const { files = [] } = read.ok && read.value.body.kind === 'export' ? read.value.body : {};
  const texts = await Promise.all(files.map(async ({ url }) => (await fetch(url)).text()));
  const lines = texts.flatMap((text) => text.trimEnd().split('\n'));
  return lines.map((line) => JSON.parse(line) as { returnId: string }).find((one) => one.returnId === returnId);
};

/** Returns the return of an erased customer, which several tests share. */
const openErased = async () => {
  const world = await lived();
  const before = await backend.getReturn({ returnId: world.id }, backendCall());
  return { ...world, before, job: await erase({ platform: 'web', customerId: world.customerId }) };
};
let firstErased: ReturnType<typeof openErased> | undefined;
const anErased = async () => (firstErased ??= openErased());

const everywhere = ['INBOX', 'PII', 'file'];
const erased = { persons: 1, files: 1, deliveries: 2 };

describe('erasure', () => {
  it('deletes every byte of a customer, and nothing of others', async () => {
    const [toErase, other] = [await lived(), await lived()];
    const { platform, orderId } = toErase.order;
    expect(await locationsOf(marker(orderId))).toEqual(everywhere);
    // A customer of another shop with the same id.
    const twin = { platform: 'other', orderId: randomUUID() };
    const facts = register(twin, 1);
    const customer = { id: toErase.customerId, name: marker(twin.orderId) };
    await executeRequest(backend, { ...facts, body: { ...facts.body, customer } }, backendCall());
    await executeRequest(backend, create(twin, 1, randomUUID()), backendCall());

    const job = await erase({ platform, customerId: toErase.customerId });
    expect(job).toMatchObject({
      status: 'done',
      progress: { passes: 2 },
      report: { erased: { ...erased, texts: expect.any(Number) }, kept: { returns: 1 } },
    });
    expect(job.report.erased.texts).toBeGreaterThan(3);
    expect(await locationsOf(marker(orderId))).toEqual([]);
    expect(await locationsOf(marker(other.order.orderId))).toEqual(everywhere);
    expect(await locationsOf(marker(twin.orderId))).toEqual(['PII']);
  });

  it.each(inSoak('leaves a return that is readable, verifiable and usable, without the customer'))('%s', async () => {
    const { order, id, customerId, before } = await anErased();
    expect(JSON.stringify(before)).toContain(marker(order.orderId));
    const read = await backend.getReturn({ returnId: id }, backendCall());
    const body = read.ok ? read.value.body : undefined;
    expect(body).toMatchObject({
      returnId: id,
      status: 'partially_received',
      customer: { id: customerId, erased: true },
    });
    expect(JSON.stringify(body)).not.toContain(marker(order.orderId));
    const { url = '' } = body?.evidence?.[0] ?? {};
    expect((await fetch(url)).status).toBe(404);
    const verified = async () => backend.verifyHistory({ returnId: id }, backendCall());
    expect(await verified()).toMatchObject({ ok: true, value: { body: { valid: true } } });
    const [line] = body?.lines ?? [];
    const inspection = {
      lines: [{ lineId: line?.lineId ?? '', quantity: 1, outcome: 'accept' as const, note: 'sound' }],
    };
    expect(await backend.inspect({ returnId: id, ...inspection }, backendCall())).toMatchObject({ ok: true });
    expect(await verified()).toMatchObject({ ok: true, value: { body: { valid: true } } });
  });

  it('leaves a mark for each text, in the return, the history and exports', async () => {
    const { order, id, customerId } = await lived();
    const marksOf = (value: unknown): number => JSON.stringify(value).split('"erased":true').length - 1;
    const read = async () => {
      const [one, history] = [
        await backend.getReturn({ returnId: id }, backendCall()),
        await backend.getHistory({ returnId: id }, backendCall()),
      ];
      if (!one.ok || !history.ok) throw new Error('the return cannot be read');
      return { state: one.value.body, entries: history.value.body.items };
    };
    const before = await read();
    expect(marksOf(before)).toBe(0);
    const whom = `shop/${marker(order.orderId)}`;
    expect(before.state.notes).toMatchObject([{ actor: { onBehalfOf: whom } }]);
    expect(before.entries.map(({ actor }) => actor.onBehalfOf)).toEqual(before.entries.map(() => whom));
    const { texts } = (await erase({ platform: 'web', customerId })).report.erased;
    const { state, entries } = await read();
    // Each erased text has its mark, and so have the customer and the author of the note.
    expect(marksOf(state)).toBe(texts + 2);
    expect(state).toMatchObject({
      customer: { id: customerId, erased: true },
      messages: [
        { direction: 'asked', erased: true },
        { direction: 'answered', erased: true },
      ],
      notes: [{ erased: true, actor: { clientId: 'test', erased: true } }],
    });
    expect(state.notes[0]).not.toHaveProperty('note');
    expect(entries.filter(({ erased: mark }) => mark).map(({ type }) => type)).toEqual(
      expect.arrayContaining(['return.info_requested', 'return.info_provided', 'note.added']),
    );
    expect(entries.map(({ actor }) => actor)).toEqual(
      entries.map(() => ({ clientId: 'test', sealed: expect.any(String), erased: true })),
    );
    for (const entry of entries) expect(entryHash(storedEntry(entry))).toBe(entry.hash);
    const added = await backend.addNote({ returnId: id, text: 'later' }, backendCall());
    expect(marksOf(added)).toBe(0);
    const after = await read();
    expect(after.state.notes).toMatchObject([{ erased: true }, { note: 'later' }]);
    expect(after.entries.at(-1)).not.toHaveProperty('erased');
    const { version } = state;
    expect(await exportedOf(id)).toMatchObject({ returnId: id, textsErasedThrough: version - 1 });
    const person = { id: customerId, name: 'Ann Lee' };
    const again = register(order, 3, { observedAt: '2026-11-03T00:00:00Z' });
    await executeRequest(backend, { ...again, body: { ...again.body, customer: person } }, backendCall());
    expect((await read()).state.customer).toEqual(person);
  });

  it('emits an event without the customer', async () => {
    const { order, job } = await anErased();
    const { jobId: id, report } = job;
    const domainEvents = await readDomainEvents(session, `ERASURE#${id}`, 0, 9);
    expect(await readUnlisted(session)).toContain(`ERASURE#${id}`);
    expect(domainEvents).toMatchObject([
      { sequence: 1, type: 'privacy.erased', data: { jobId: id, ...report.erased, returns: 1 } },
    ]);
    expect(JSON.stringify(domainEvents)).not.toContain(order.orderId);
  });

  it.each(inSoak('finds nothing the second time, except newer data'))('%s', async () => {
    const { order, id, customerId } = await lived();
    const subject = { platform: 'web', customerId };
    await erase(subject);
    const nothing = { persons: 0, texts: 0, files: 0, deliveries: 0 };
    expect(await erase(subject)).toMatchObject({
      status: 'done',
      progress: { passes: 1 },
      report: { erased: nothing },
    });
    await backend.addNote({ returnId: id, text: marker(order.orderId) }, backendCall());
    await delivered(order.orderId, { status: 'done', returnId: id, order });
    expect(await erase(subject)).toMatchObject({ report: { erased: { ...nothing, texts: 1, deliveries: 1 } } });
    expect(await locationsOf(marker(order.orderId))).toEqual([]);
  });

  it('counts without deleting and without an event, in a dry run', async () => {
    const { order, customerId } = await lived();
    const subject = { platform: 'web', customerId };
    const counted = await erase({ ...subject, countOnly: true });
    expect(await locationsOf(marker(order.orderId))).toEqual(everywhere);
    expect(await readDomainEvents(session, `ERASURE#${counted.jobId}`, 0, 9)).toEqual([]);
    const { report } = await erase(subject);
    expect(counted).toMatchObject({
      status: 'done',
      report: { ...report, erased: { ...report.erased, deliveries: 2 } },
    });
  });

  it('erases the buyer of an order when the shop names no customer', async () => {
    const { order } = await lived(false);
    expect(await locationsOf(marker(order.orderId))).toEqual(everywhere);
    expect(await erase(order)).toMatchObject({ status: 'done', report: { erased, kept: { returns: 1 } } });
    expect(await locationsOf(marker(order.orderId))).toEqual([]);
  });

  it.each(inSoak('includes data of the order that was stored before the shop named the customer'))('%s', async () => {
    const { order, customerId } = await lived(false);
    const facts = register(order, 3, { observedAt: '2026-11-03T00:00:00Z' });
    await executeRequest(backend, facts, backendCall());
    await executeRequest(backend, create(order, 1, randomUUID()), backendCall());
    await erase({ platform: 'web', customerId });
    expect(await locationsOf(marker(order.orderId))).toEqual([]);
  });

  it('continues after a worker died, and deletes data that arrived meanwhile', async () => {
    const { order, id, customerId } = await lived();
    const job = await begin({ platform: 'web', customerId });
    const messages = await take();
    await deliver(messages, hurried);
    expect(await jobOf(job)).toMatchObject({ status: 'running', progress: { passes: 1 } });
    await purge();
    await backend.addNote({ returnId: id, text: marker(order.orderId) }, backendCall());
    await deliver([...messages, ...messages]);
    await deliver(messages);
    // Each item was counted exactly once.
    expect(await jobOf(job)).toMatchObject({ status: 'done', report: { erased, kept: { returns: 1 } } });
    expect(await locationsOf(marker(order.orderId))).toEqual([]);
  });

  // The previous test sends each message twice at once.
  it.each(inSoak('counts each item once when several workers process it at the same time'))('%s', async () => {
    const { customerId } = await lived();
    const job = await begin({ platform: 'web', customerId });
    const messages = await take();
    await deliver([...messages, ...messages, ...messages]);
    await deliver(messages);
    expect(await jobOf(job)).toMatchObject({ status: 'done', report: { erased } });
  });

  it.each(inSoak('deletes nothing more after a cancellation'))('%s', async () => {
    const { order, customerId } = await lived();
    const jobId = await begin({ platform: 'web', customerId });
    expect(await backend.cancelJob({ jobId }, backendCall())).toMatchObject({ ok: true });
    await workOff();
    expect(await jobOf(jobId)).toMatchObject({ status: 'cancelled' });
    expect(await locationsOf(marker(order.orderId))).toEqual(everywhere);
  });

  it.each(inSoak('accepts an erased delivery when it arrives again'))('%s', async () => {
    const { order, id, customerId } = await lived();
    const row = (await scan()).find((item) => item.pk.startsWith('INBOX#') && item['returnId'] === id);
    await erase({ platform: 'web', customerId });
    const { pk: _, sk: __, runs: ___, ...again } = row as unknown as InboxRow & Item;
    const stored = await storeDelivery(session, { ...again, status: 'received' });
    expect(stored.kind).toBe('new');
    expect(await locationsOf(marker(order.orderId))).toEqual(['INBOX']);
  });

  it.each([
    [{}, '/customerId', 'required'],
    [{ customerId: '7', orderId: '8' }, '/orderId', 'unexpected'],
  ])('needs exactly one of the fields: %o', async (subject, path, code) => {
    const answer = await backend.eraseCustomer({ platform: 'web', ...subject }, backendCall());
    expect(answer).toMatchObject({ ok: false, failure: { code: 'invalid_request', errors: [{ path, code }] } });
  });
});
