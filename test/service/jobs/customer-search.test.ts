import { createHmac, randomUUID } from 'node:crypto';
import { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import {
  DeleteCommand,
  DynamoDBDocumentClient,
  GetCommand,
  PutCommand,
  QueryCommand,
  ScanCommand,
} from '@aws-sdk/lib-dynamodb';
import { afterEach, beforeEach, describe, expect, it, onTestFinished, vi } from 'vitest';
import type { Input, Output } from '../../../lib/contract/contract.ts';
import { jobRunner } from '../../../lib/service/jobs/run-job.ts';
import { applyRetention } from '../../../lib/service/schedules/retention/apply-retention.ts';
import type { OrderRef } from '../../../lib/domain/returns/model/order.ts';
import { reindexReturns } from '../../../lib/service/schedules/reindex-returns.ts';
import { personKey, scheduleKey, searchKey } from '../../../lib/store/engine/keys.ts';
import { searchDigest } from '../../../lib/store/personal/customer-search.ts';
import { startMeter } from '../../support/meter.ts';
import { startSchedules } from '../schedules/support.ts';
import { backendCall } from '../../support/backend-call.ts';
import { setEnvironment } from '../../support/environment.ts';
import { ringOf, ringText, unitSearch } from '../../support/history-keys.ts';
import { executeRequest } from '../../support/life-of-backend.ts';
import { create, register } from '../../support/life.ts';
import { hearLines } from '../../support/standard-output.ts';
import { contextWith } from '../../support/time.ts';
import { workers } from './worker.ts';

const personalDays = 30;
setEnvironment({ PERSONAL_RETENTION_DAYS: String(personalDays) });
const { engines, backendWith } = await startSchedules();
const backend = backendWith({});
const { purge, workOff } = workers(engines.jobsUrl, jobRunner(backend));
const table = DynamoDBDocumentClient.from(new DynamoDBClient({}));
beforeEach(async () => {
  setEnvironment(unitSearch.first);
  await purge();
});
afterEach(() => void vi.useRealTimers());

const dayMs = 86_400_000;
const order = (): OrderRef => ({ platform: 'web', orderId: randomUUID() });
const uniqueName = () => `Ada ${randomUUID()}`;

type Customer = Exclude<Input<'registerOrder'>['customer'], undefined>;

const report = async (ref: OrderRef, customer: Customer, observedAt = '2026-11-02T00:00:00Z') => {
  const request = register(ref, 3, { observedAt });
  await executeRequest(backend, { ...request, body: { ...request.body, customer } }, backendCall());
};
const request = async (ref: OrderRef): Promise<string> => {
  const { reply } = await executeRequest(backend, create(ref, 1, randomUUID()), backendCall());
  return (reply.body as Output<'createReturn'>).returnId;
};
/** Reports a customer with an id, and requests a return of the order. */
const createStored = async (name: string) => {
  const ref = order();
  const customer = { id: `c-${ref.orderId}`, name, email: `${ref.orderId}@example.com` };
  await report(ref, customer);
  return { ref, customer, returnId: await request(ref) };
};

const search = async (input: Input<'searchCustomers'>) => {
  const found = await backend.searchCustomers(input, backendCall());
  return found.ok ? found.value.body.items.map(({ returnId }) => returnId) : found.failure.code;
};

/** Returns the rows of the search, with the subjects that they lead to. */
const rows = async (): Promise<readonly { readonly pk: string; readonly subject: string }[]> => {
  const { Items = [] } = await table.send(
    new ScanCommand({
      TableName: engines.table,
      FilterExpression: 'begins_with(pk, :prefix)',
      ExpressionAttributeValues: { ':prefix': 'SEARCH#' },
      ConsistentRead: true,
    }),
  );
  return Items.map((item) => ({ pk: String(item['pk']), subject: decodeURIComponent(String(item['sk'])) }));
};
const rowsOf = async ({ customer: { id } }: { readonly customer: Customer }) =>
  (await rows()).filter(({ subject }) => subject === `web:customer:${id}`).map(({ pk }) => pk);

const erase = async (input: Input<'eraseCustomer'>) => {
  expect(await backend.eraseCustomer(input, backendCall())).toMatchObject({ ok: true });
  await workOff();
};

const { current: searchKeyOfUnit } = ringOf(ringText(['search']));

/** Stores a customer under the name as a deployment did that folded the case of letters only. */
const storeUnfolded = async ({ id, name = '', email = '' }: Customer): Promise<void> => {
  const [TableName, subject] = [engines.table, `web:customer:${id}`];
  const { Item: person } = await table.send(new GetCommand({ TableName, Key: personKey(subject) }));
  const [address, unfolded] = [
    searchDigest(searchKeyOfUnit, { kind: 'email', text: email }),
    searchDigest(searchKeyOfUnit, { kind: 'name', text: name.toLowerCase() }),
  ];
  for (const digest of String(person?.['search']).split(' '))
    if (digest !== address) await table.send(new DeleteCommand({ TableName, Key: searchKey(digest, subject) }));
  await table.send(new PutCommand({ TableName, Item: searchKey(unfolded, subject) }));
  await table.send(new PutCommand({ TableName, Item: { ...person, search: `${address} ${unfolded}` } }));
};

/** Stores the tag of the key as that deployment did: without the version of the normal forms. */
const storeEarlierTag = async (): Promise<void> => {
  const { id, secret } = searchKeyOfUnit;
  const tag = createHmac('sha256', secret).update('returns customer search\ntag').digest('hex').slice(0, 16);
  const [TableName, Key] = [engines.table, scheduleKey('index-customers')];
  const { Item } = await table.send(new GetCommand({ TableName, Key }));
  const cursor = { ...(JSON.parse(String(Item?.['cursor'])) as object), key: `${id}.${tag}` };
  await table.send(new PutCommand({ TableName, Item: { ...Item, cursor: JSON.stringify(cursor) } }));
};

/** Runs the schedule after the lag of the index. */
const run = async () => {
  vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + 120_000 });
  return reindexReturns({}, contextWith());
};
const reindex = async () => {
  const done = await run();
  vi.useRealTimers();
  return done;
};

describe('rows of the search', () => {
  it('hold no text, and those of an earlier name or address go with it', async () => {
    const name = uniqueName();
    const one = await createStored(name);
    const before = await rowsOf(one);
    expect(before).toHaveLength(2);
    expect(JSON.stringify(await rows())).not.toMatch(/Ada |example/i);
    const after = { ...one.customer, name: uniqueName() };
    await report(one.ref, after, '2026-11-03T00:00:00Z');
    expect((await rowsOf(one)).filter((pk) => !before.includes(pk))).toHaveLength(1);
    expect(await rowsOf(one)).toHaveLength(2);
    // An older observation changes nothing.
    await report(one.ref, { ...after, name }, '2026-11-01T00:00:00Z');
    expect([await search({ name }), await search({ name: after.name })]).toEqual([[], [one.returnId]]);
  });

  it('belong to the stored name after concurrent reports', async () => {
    const one = await createStored(uniqueName());
    const names = Array.from({ length: 6 }, uniqueName);
    const reports = names.map(async (name, day) =>
      report(one.ref, { ...one.customer, name }, `2026-11-1${day}T00:00:00Z`),
    );
    await Promise.all(reports);
    expect(await rowsOf(one)).toHaveLength(2);
    expect(await Promise.all(names.map(async (name) => search({ name })))).toEqual([
      [],
      [],
      [],
      [],
      [],
      [one.returnId],
    ]);
  });

  it('are deleted by an erasure of a customer or of an order, also those of an earlier key and with the search off', async () => {
    const [named, guest] = [await createStored(uniqueName()), { ref: order(), name: uniqueName() }];
    await report(guest.ref, { name: guest.name });
    const guestReturn = await request(guest.ref);
    setEnvironment(unitSearch.rotated);
    await report(named.ref, { ...named.customer, name: uniqueName() }, '2026-11-03T00:00:00Z');
    expect(await search({ name: guest.name })).toEqual([guestReturn]);
    expect(await search({ email: named.customer.email ?? '' })).toEqual([named.returnId]);
    setEnvironment(unitSearch.off);
    await erase({ platform: 'web', customerId: named.customer.id ?? '' });
    await erase({ ...guest.ref });
    setEnvironment(unitSearch.rotated);
    const subjects = (await rows()).map(({ subject }) => subject);
    expect(subjects.filter((one) => [named, guest].some(({ ref }) => one.includes(ref.orderId)))).toEqual([]);
    expect(await search({ name: guest.name })).toEqual([]);
    expect(await search({ email: named.customer.email ?? '' })).toEqual([]);
  });

  it('lead to each order of a customer once, until an erasure', async () => {
    const one = await createStored(uniqueName());
    const { id } = one.customer;
    const other = order();
    await report(other, one.customer, '2026-11-03T00:00:00Z');
    const links = async () => {
      const { Items = [] } = await table.send(
        new QueryCommand({
          TableName: engines.table,
          KeyConditionExpression: 'pk = :pk AND begins_with(sk, :prefix)',
          ExpressionAttributeValues: { ':pk': personKey(`web:customer:${id}`).pk, ':prefix': 'ORDER#' },
        }),
      );
      return Items.map(({ sk }) => String(sk)).toSorted();
    };
    expect(await links()).toEqual([one.ref, other].map(({ orderId }) => `ORDER#${orderId}`).toSorted());
    await erase({ platform: 'web', customerId: id });
    expect(await links()).toEqual([]);
    await report(other, one.customer, '2026-11-04T00:00:00Z');
    expect(await links()).toEqual([`ORDER#${other.orderId}`]);
  });

  it('cost six write units for the order of a new customer, four for a new name, and none for a repeat', async () => {
    const engine = process.env['AWS_ENDPOINT_URL_DYNAMODB'] ?? '';
    const meter = await startMeter(engine);
    onTestFinished(meter.close);
    const unitsOf = async (variables: object) => {
      setEnvironment({ ...variables, AWS_ENDPOINT_URL_DYNAMODB: meter.origin });
      const [ref, customer] = [order(), { id: randomUUID(), name: uniqueName(), email: `${randomUUID()}@example.com` }];
      const units: number[] = [];
      const reports = [customer, customer, { ...customer, name: uniqueName() }];
      for (const [day, one] of reports.entries()) {
        meter.take();
        await report(ref, one, `2026-11-0${day + 2}T00:00:00Z`);
        units.push(meter.take().write);
      }
      setEnvironment({ AWS_ENDPOINT_URL_DYNAMODB: engine });
      return units;
    };
    const without = await unitsOf(unitSearch.off);
    expect(await unitsOf(unitSearch.first)).toEqual(without.map((units, index) => units + ([6, 0, 4][index] ?? 0)));
  });

  it('come back when a shop reports the customer after the erasure', async () => {
    const one = await createStored(uniqueName());
    await erase({ platform: 'web', customerId: one.customer.id ?? '' });
    await report(one.ref, one.customer, '2026-11-03T00:00:00Z');
    expect(await search({ name: one.customer.name ?? '' })).toEqual([one.returnId]);
  });

  it('are deleted at the end of the retention', async () => {
    const one = await createStored(uniqueName());
    await backend.cancel({ returnId: one.returnId }, backendCall());
    expect(await rowsOf(one)).toHaveLength(2);
    await applyRetention({}, contextWith(), Date.now() + (personalDays + 1) * dayMs);
    expect(await rowsOf(one)).toEqual([]);
    expect(await search({ name: one.customer.name ?? '' })).toEqual([]);
  });
});

describe('indexing of customers', () => {
  it('moves rows to a new key, and the search finds them before and after', async () => {
    const one = await createStored(uniqueName());
    const [name, before] = [one.customer.name ?? '', await rowsOf(one)];
    setEnvironment(unitSearch.rotated);
    expect(await search({ name })).toEqual([one.returnId]);
    expect(await reindex()).toMatchObject({ through: false, customers: 0 });
    expect(await rowsOf(one)).toEqual(before);
    const moved = await reindex();
    expect(moved).toMatchObject({ through: true });
    expect(moved.customers).toBeGreaterThan(0);
    expect(await rowsOf(one)).toHaveLength(2);
    expect((await rowsOf(one)).filter((pk) => before.includes(pk))).toEqual([]);
    expect(await search({ name })).toEqual([one.returnId]);
    expect(await reindex()).toMatchObject({ through: true, customers: 0 });
    setEnvironment(unitSearch.reduced);
    expect(await search({ name })).toEqual([one.returnId]);
  });

  it('writes the digests of an earlier normal form again, and an erasure deletes them', async () => {
    while (!(await reindex()).through);
    // A name has no digits.
    const name = `Zélia Quintão${randomUUID().replaceAll(/[\d-]/g, '')}`;
    const [one, erased] = [await createStored(name), await createStored(name)];
    const before = await rowsOf(one);
    await storeUnfolded(one.customer);
    await storeUnfolded(erased.customer);
    await storeEarlierTag();
    expect((await rowsOf(one)).filter((pk) => before.includes(pk))).toHaveLength(1);
    await erase({ platform: 'web', customerId: erased.customer.id ?? '' });
    expect(await rowsOf(erased)).toEqual([]);

    expect(await reindex()).toMatchObject({ through: false, customers: 0 });
    expect(await reindex()).toMatchObject({ through: true });
    expect(new Set(await rowsOf(one))).toEqual(new Set(before));
    for (const text of [name, name.normalize('NFD'), name.replace('é', 'e').replace('ã', 'a').toUpperCase()])
      expect(await search({ name: text })).toEqual([one.returnId]);
  });

  it('continues after a damaged customer, and lets one of two concurrent runs fail', async () => {
    setEnvironment(unitSearch.off);
    const [damaged, sound] = [await createStored(uniqueName()), await createStored(uniqueName())];
    const Item = { ...personKey(`web:customer:${damaged.customer.id}`), value: new Uint8Array([1, 2]), observedAt: '' };
    await table.send(new PutCommand({ TableName: engines.table, Item }));
    setEnvironment(unitSearch.reduced);
    await reindex();
    const runs = await Promise.allSettled([run(), run()]);
    vi.useRealTimers();
    const failures = runs.flatMap((one) => (one.status === 'rejected' ? [String(one.reason)] : []));
    expect(failures).toEqual(failures.map(() => 'ScheduleFailed: another run was faster'));
    expect(failures.length).toBeLessThan(2);
    expect(await reindex()).toMatchObject({ through: true });
    expect(await search({ name: sound.customer.name ?? '' })).toEqual([sound.returnId]);
    expect(await rowsOf(damaged)).toEqual([]);
  });

  it('finds the customers of before the search was on, also when their first return comes later', async () => {
    setEnvironment(unitSearch.off);
    const early = await createStored(uniqueName());
    const late = { ref: order(), name: uniqueName() };
    await report(late.ref, { name: late.name });
    expect(await rowsOf(early)).toEqual([]);
    expect(await reindex()).not.toHaveProperty('customers');
    setEnvironment(unitSearch.first);
    await reindex();
    await reindex();
    expect(await search({ name: early.customer.name ?? '' })).toEqual([early.returnId]);
    expect(await search({ name: late.name })).toEqual([]);
    const returnId = await request(late.ref);
    await reindex();
    expect(await search({ name: late.name })).toEqual([returnId]);
  });
});

describe('searchCustomers', () => {
  it('fails where the search is off, which also ends the rows of a reported customer', async () => {
    const one = await createStored(uniqueName());
    setEnvironment(unitSearch.off);
    expect(await search({ name: one.customer.name ?? '' })).toBe('feature_disabled');
    await report(one.ref, one.customer, '2026-11-03T00:00:00Z');
    expect(await rowsOf(one)).toEqual([]);
  });

  it('finds no return of a customer of another shop with the same id', async () => {
    const one = await createStored(uniqueName());
    const twin = { ...order(), platform: 'other' };
    await report(twin, { id: one.customer.id ?? '', name: uniqueName() });
    await request(twin);
    expect(await search({ name: one.customer.name ?? '' })).toEqual([one.returnId]);
  });

  it('reads pages over customers and orders without a customer, newest first, and rejects more than 100', async () => {
    const name = uniqueName();
    const ids: string[] = [];
    for (let count = 0; count < 7; count += 1) {
      const ref = order();
      await report(ref, count % 2 === 0 ? { name } : { id: `c-${ref.orderId}`, name });
      ids.unshift(await request(ref));
    }
    const found: string[] = [];
    let cursor: string | null = null;
    do {
      const page = await backend.searchCustomers({ name, limit: 2, ...(cursor !== null && { cursor }) }, backendCall());
      if (!page.ok) throw new Error(page.failure.code);
      found.push(...page.value.body.items.map(({ returnId }) => returnId));
      cursor = page.value.body.nextCursor;
    } while (cursor !== null);
    expect(found).toEqual(ids);
    await Promise.all(Array.from({ length: 94 }, async () => report(order(), { name })));
    expect(await search({ name })).toBe('invalid_request');
  });

  it('logs the caller, the kind, the number of results and a digest that is no row, and no text', async () => {
    const one = await createStored(uniqueName());
    const call = { ...backendCall(), caller: { clientId: 'console', scopes: [], user: { id: 'user-7', name: 'Ana' } } };
    const lines: string[] = [];
    using _ = hearLines((line) => lines.push(line));
    await backend.searchCustomers({ name: one.customer.name ?? '' }, call);
    const logged = lines.map((line) => JSON.parse(line) as Readonly<Record<string, unknown>>);
    const line = logged.find(({ message }) => message === 'customer searched');
    expect(line).toMatchObject({
      level: 'info',
      clientId: 'console',
      userId: 'user-7',
      kind: 'name',
      results: 1,
      digest: expect.stringMatching(/^[0-9a-f]{64}$/),
    });
    expect(JSON.stringify(lines)).not.toContain(one.customer.name);
    expect((await rowsOf(one)).map((pk) => pk.replace('SEARCH#', ''))).not.toContain(line?.['digest']);
  });
});
