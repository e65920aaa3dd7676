import { randomUUID } from 'node:crypto';
import { ulid } from 'ulid';
import { beforeAll, describe, expect, it } from 'vitest';
import type { Output } from '../../lib/contract/contract.ts';
import { api, type Answer, type Api } from '../support/api.ts';
import { contractModes } from '../support/contract-api.ts';
import { spoilVersion, waitingJob } from '../support/jobs.ts';
import { sharedStack } from '../support/own-stack.ts';
import { beginDraft, createPolicy, publishedPolicy, ifRevision } from '../support/policies.ts';
import { registerOrder, returnOf, shirts, shopOrder } from '../support/scenario.ts';
import { takeOutAndErase } from './take-out-and-erase.ts';

const stack = await sharedStack();

type Job = Output<'backtestDraft'>;
const jobIn = ({ body }: Answer) => body as unknown as Job;
const daysAgo = (days: number) => new Date(Date.now() - days * 86_400_000).toISOString();
const unknown = 'job_00000000000000000000000000';

/** A policy that allows a seller's goods for some days, and denies too many units. */
const allowing = (seller: string, days: number, maximum = 100) => ({
  selectors: { sellers: [seller] },
  rules: [
    { id: 'window', phase: 'window', text: `${days} days`, window: { anchor: 'delivered', days } },
    {
      id: 'many',
      phase: 'limit',
      text: 'Too many at once',
      when: { fact: 'return.quantity', op: 'gt', value: maximum },
      deny: 'too_many',
    },
    { id: 'auto', phase: 'approval', text: 'No review', approval: 'auto' },
  ],
});

/** Returns the job after its workers have finished. */
const ended = async <Ended extends Output<'getJob'> = Job>(service: Api, path: string): Promise<Ended> => {
  for (;;) {
    const worked = stack.next((event) => event.type === 'invoked' && event.function === 'runJob');
    const job = (await service.get(path)).body as unknown as Ended;
    if (!['queued', 'running'].includes(job.status)) return job;
    await worked;
  }
};

describe.each(contractModes(import.meta.filename))('%s backtests', (mode) => {
  let service: Api;
  beforeAll(() => {
    service = api(mode, stack.info);
  });

  /** Creates a return of a seller's shirts, the given number of days after delivery. */
  const requestReturn = async (seller: string, days: number, quantity: number): Promise<string> => {
    const lines = shopOrder().lines.map((line) => ({
      ...line,
      categories: ['shirts'],
      deliveries: [{ quantity: line.quantity, at: daysAgo(days) }],
    }));
    const order = await registerOrder(service, { country: 'US', seller, placedAt: daysAgo(days + 1), lines });
    const { status, body } = await service.post('/returns', returnOf(order, 1, { lines: [shirts(quantity)] }));
    expect(status).toBe(201);
    return body.returnId;
  };

  /** Creates a policy of thirty days, and returns of shirts 5, 25 and 40 days after delivery. */
  const decided = async (quantities = [1, 2]) => {
    const seller = randomUUID();
    const { path, policyId } = await publishedPolicy(service, allowing(seller, 30));
    const ids: Record<string, string> = {};
    for (const days of [5, 25, 40])
      for (const quantity of quantities) ids[`${days} ${quantity}`] = await requestReturn(seller, days, quantity);
    return { seller, path, policyId, ids };
  };

  it('report both kinds of changed decisions of a draft, and the change in money', async () => {
    const { seller, path, policyId, ids } = await decided();
    await service.put(`${path}/draft`, { document: allowing(seller, 60, 1) }, beginDraft);
    const started = await service.post(`${path}/draft/backtest`, { from: daysAgo(30) });
    expect(started).toMatchObject({
      status: 201,
      body: {
        kind: 'backtest',
        status: 'queued',
        request: { policyId, version: 2, revision: 1, limit: 100_000, source: 'decisions' },
        progress: { examined: 0, limit: 100_000 },
        report: { compared: 0 },
        createdBy: { clientId: mode === 'standalone' ? 'returns-admin' : 'returns-integration' },
      },
    });
    const { jobId: id } = jobIn(started);
    expect(started.headers.get('location')).toBe(`/v1/jobs/${id}`);
    const job = await ended(service, `/jobs/${id}`);
    expect(job).toMatchObject({
      jobId: id,
      status: 'done',
      report: {
        compared: 6,
        unchanged: 3,
        verdicts: [
          { from: 'approved', to: 'approved', count: 2 },
          { from: 'approved', to: 'rejected', count: 2 },
          { from: 'rejected', to: 'approved', count: 1 },
          { from: 'rejected', to: 'rejected', count: 1 },
        ],
        lines: [
          { from: 'eligible', to: 'eligible', count: 2 },
          { from: 'eligible', to: 'ineligible', count: 2 },
          { from: 'ineligible', to: 'eligible', count: 1 },
          { from: 'ineligible', to: 'ineligible', count: 1 },
        ],
        money: [{ currency: 'EUR', up: 1000, down: 4000 }],
        byReason: {
          items: [{ name: 'fit.too_small', better: 1, worse: 2, worth: [{ currency: 'EUR', up: 1000, down: 4000 }] }],
        },
        byCategory: { items: [{ name: 'shirts', better: 1, worse: 2 }] },
        failures: [],
      },
    });
    // The decision that stays rejected gets one more reason, without a change of verdict or money.
    const { examples } = job.report;
    expect(new Set(examples.map(({ returnId }) => returnId))).toEqual(new Set([ids['5 2'], ids['25 2'], ids['40 1']]));
    expect(examples.find(({ returnId }) => returnId === ids['40 1'])).toMatchObject({
      currency: 'EUR',
      before: { verdict: 'rejected', codes: ['window_expired'], refund: 0 },
      after: { verdict: 'approved', codes: [], refund: 1000 },
    });
  });

  it('use the draft as it was at the request', async () => {
    const { seller, path } = await decided([1]);
    await service.put(`${path}/draft`, { document: allowing(seller, 60) }, beginDraft);
    const started = await service.post(`${path}/draft/backtest`);
    await service.put(`${path}/draft`, { document: allowing(seller, 1) }, ifRevision(1));
    const job = await ended(service, `/jobs/${jobIn(started).jobId}`);
    expect(job).toMatchObject({
      request: { revision: 1 },
      report: { money: [{ currency: 'EUR', up: 1000, down: 0 }] },
    });
    const again = await service.post(`${path}/draft/backtest`);
    expect(await ended(service, `/jobs/${jobIn(again).jobId}`)).toMatchObject({
      request: { revision: 2 },
      report: { money: [{ currency: 'EUR', up: 0, down: 2000 }] },
    });
  });

  it('start once per key, and not in a dry run', async () => {
    const { path } = await createPolicy(service);
    const trial = await service.post(`${path}/draft/backtest?dryRun=true`, {}, { key: null });
    expect(trial.status).toBe(201);
    expect(await service.get(`/jobs/${jobIn(trial).jobId}`)).toMatchObject({
      status: 404,
      body: { code: 'job_not_found' },
    });
    const key = randomUUID();
    const first = await service.post(`${path}/draft/backtest`, {}, { key });
    const again = await service.post(`${path}/draft/backtest`, {}, { key });
    expect(again.headers.get('idempotency-replayed')).toBe('true');
    expect(again.body).toEqual(first.body);
    expect(await ended(service, `/jobs/${first.body.jobId}`)).toMatchObject({
      status: 'done',
      report: { compared: 0 },
    });
  });

  it('finish at once when no decision can exist', async () => {
    const { path } = await createPolicy(service);
    const { body } = await service.post(`${path}/draft/backtest`, { until: '2020-01-01T00:00:00Z' });
    expect(body).toMatchObject({ status: 'done', progress: { examined: 0 } });
  });

  it.each([
    [{ from: '2030-01-01T00:00:00Z' }, { path: '/from', code: 'maximum' }],
    [{ from: '2010-01-01T00:00:00Z' }, { path: '/from', code: 'minimum' }],
    [{ limit: 100_001 }, { path: '/limit', code: 'maximum' }],
    [{ source: 'quotes' }, { path: '/source', code: 'enum' }],
  ])('return 400 for %j', async (request, fieldError) => {
    const { path } = await createPolicy(service);
    expect(await service.post(`${path}/draft/backtest`, request)).toMatchObject({
      status: 400,
      body: { code: 'invalid_request', errors: [fieldError] },
    });
  });

  /** Returns the shadow decision that is stored with the decision on a return. */
  const shadowOf = async (returnId: string) => {
    const { body } = await service.get(`/returns/${returnId}`);
    const { decision } = body as unknown as Output<'getReturn'>;
    const read = await service.get(`/decisions/${decision?.decisionId}`);
    return (read.body as unknown as Output<'getDecision'>).shadow;
  };

  it('count the stored shadow decisions of drafts, which had no effect', async () => {
    const seller = randomUUID();
    const { path, policyId } = await publishedPolicy(service, allowing(seller, 30));
    await service.put(`${path}/draft`, { document: allowing(seller, 10) }, beginDraft);
    expect(await shadowOf(await requestReturn(seller, 20, 1))).toBeUndefined();
    const key = randomUUID();
    const on = await service.post(`${path}/draft/shadow`, { enabled: true }, { key, ...ifRevision(1) });
    expect(on).toMatchObject({ status: 200, body: { version: 2, revision: 1, status: 'draft', shadowed: true } });
    expect(on.headers.get('etag')).toBe('"1"');
    const first = await requestReturn(seller, 20, 2);
    expect(await service.get(`/returns/${first}`)).toMatchObject({ body: { status: 'approved' } });
    expect(await shadowOf(first)).toEqual({
      policyId,
      version: 2,
      revision: 1,
      verdict: 'rejected',
      lines: [{ verdict: 'ineligible', code: 'window_expired' }],
      refund: 0,
    });
    await service.put(`${path}/draft`, { document: allowing(seller, 25) }, ifRevision(1));
    expect(await shadowOf(await requestReturn(seller, 20, 1))).toMatchObject({
      revision: 2,
      verdict: 'approved',
      refund: 1000,
    });
    await service.post(`${path}/draft/shadow`, { enabled: false });
    expect(await shadowOf(await requestReturn(seller, 20, 1))).toBeUndefined();
    const started = await service.post(`${path}/draft/backtest`, { source: 'shadow' });
    expect(await ended(service, `/jobs/${jobIn(started).jobId}`)).toMatchObject({
      status: 'done',
      report: {
        compared: 2,
        unchanged: 1,
        money: [{ currency: 'EUR', up: 0, down: 2000 }],
        examples: [{ returnId: first }],
      },
    });
  });

  it('find no shadow decision after the draft is published, or when it is for other orders', async () => {
    const seller = randomUUID();
    const { path } = await publishedPolicy(service, allowing(seller, 30));
    await service.put(`${path}/draft`, { document: allowing(randomUUID(), 10) }, beginDraft);
    await service.post(`${path}/draft/shadow`, { enabled: true });
    expect(await shadowOf(await requestReturn(seller, 20, 1))).toBeUndefined();
    await service.put(`${path}/draft`, { document: allowing(seller, 10) }, ifRevision(1));
    expect(await shadowOf(await requestReturn(seller, 20, 1))).toMatchObject({ version: 2 });
    expect(await service.post(`${path}/publish`)).toMatchObject({ status: 200 });
    expect(await shadowOf(await requestReturn(seller, 20, 1))).toBeUndefined();
    await service.put(`${path}/draft`, { document: allowing(seller, 30) }, beginDraft);
    expect(await shadowOf(await requestReturn(seller, 20, 1))).toBeUndefined();
  });

  it('do not block a return when a shadowed draft is unreadable', async () => {
    const seller = randomUUID();
    const { path, policyId } = await publishedPolicy(service, allowing(seller, 30));
    await service.put(`${path}/draft`, { document: allowing(seller, 10) }, beginDraft);
    await service.post(`${path}/draft/shadow`, { enabled: true });
    await spoilVersion(stack.info, policyId, 2);
    const id = await requestReturn(seller, 20, 1);
    expect(await service.get(`/returns/${id}`)).toMatchObject({ body: { status: 'approved' } });
    expect(await shadowOf(id)).toBeUndefined();
  });

  it('shadow a draft only at the version of If-Match, once, and not in a dry run', async () => {
    const { path } = await createPolicy(service);
    const to = (enabled: boolean, options: object = {}) => service.post(`${path}/draft/shadow`, { enabled }, options);
    expect(await to(true, ifRevision(7))).toMatchObject({ status: 412, body: { code: 'version_mismatch' } });
    expect(await to(true, { client: 'returns-reader' })).toMatchObject({ status: 403 });
    const trial = await service.post(`${path}/draft/shadow?dryRun=true`, { enabled: true }, { key: null });
    expect(trial).toMatchObject({ status: 200, body: { shadowed: true } });
    expect((await service.get(`${path}/versions/1`)).body).not.toHaveProperty('shadowed');
    const key = randomUUID();
    await to(true, { key });
    expect((await to(true, { key })).headers.get('idempotency-replayed')).toBe('true');
    expect(await to(true)).toMatchObject({ status: 200, body: { shadowed: true } });
    expect(await service.get(`${path}/versions/1`)).toMatchObject({ body: { shadowed: true } });
    await service.post(`${path}/publish`);
    expect(await to(true)).toMatchObject({ status: 404, body: { code: 'policy_version_not_found' } });
  });

  it('need a draft and an admin', async () => {
    const { path } = await publishedPolicy(service, allowing(randomUUID(), 30));
    expect(await service.post(`${path}/draft/backtest`)).toMatchObject({
      status: 404,
      body: { code: 'policy_version_not_found' },
    });
    const other = `/policies/pol_00000000000000000000000000/draft/backtest`;
    expect(await service.post(other)).toMatchObject({ status: 404, body: { code: 'policy_not_found' } });
    const reader = { client: 'returns-reader' };
    expect(await service.post(`${path}/draft/backtest`, {}, reader)).toMatchObject({ status: 403 });
    expect(await service.get(`/jobs/${unknown}`, reader)).toMatchObject({ status: 403 });
    expect(await service.post(`/jobs/${unknown}/cancel`, {}, reader)).toMatchObject({ status: 403 });
  });
});

describe.each(contractModes(import.meta.filename))('%s jobs', (mode) => {
  let service: Api;
  beforeAll(() => {
    service = api(mode, stack.info);
  });

  it('stay cancelled after a cancellation', async () => {
    const id = await waitingJob(stack.info);
    const trial = await service.post(`/jobs/${id}/cancel?dryRun=true`, {}, { key: null });
    expect(trial).toMatchObject({ status: 200, body: { jobId: id, status: 'cancelled' } });
    expect(await service.get(`/jobs/${id}`)).toMatchObject({ body: { status: 'queued' } });
    const key = randomUUID();
    const first = await service.post(`/jobs/${id}/cancel`, {}, { key });
    expect(first).toMatchObject({ status: 200, body: { jobId: id, status: 'cancelled' } });
    const again = await service.post(`/jobs/${id}/cancel`, {}, { key });
    expect(again.headers.get('idempotency-replayed')).toBe('true');
    expect(await service.post(`/jobs/${id}/cancel`)).toMatchObject({ status: 200, body: { status: 'cancelled' } });
    expect(await service.get(`/jobs/${id}`)).toMatchObject({ body: { status: 'cancelled' } });
  });

  it('are listed newest first, by status and kind, in pages', async () => {
    const list = async (query: string) => {
      const { status, body } = await service.get(`/jobs?${query}`);
      expect(status).toBe(200);
      return body as unknown as Output<'listJobs'>;
    };
    const older = await waitingJob(stack.info);
    const newer = await waitingJob(stack.info, { status: 'failed', failure: { code: 'timeout', part: 1 } });
    const erasure = await service.post('/erasures', { platform: 'web', customerId: randomUUID() });
    const [first, second, third] = (await list('limit=3')).items;
    expect([first?.jobId, second?.jobId, third?.jobId]).toEqual([erasure.body.jobId, newer, older]);
    expect(first).toMatchObject({ kind: 'erasure', request: { platform: 'web', countOnly: false } });
    expect(second).toMatchObject({ kind: 'backtest', status: 'failed', failure: { code: 'timeout', part: 1 } });
    expect(third).toMatchObject({ status: 'queued', createdBy: { clientId: 'test' } });
    for (const name of ['progress', 'report', 'files']) expect(third).not.toHaveProperty(name);
    const page = await list('limit=1&kind=backtest');
    expect(page.items.map(({ jobId: id }) => id)).toEqual([newer]);
    const next = await list(`limit=1&kind=backtest&cursor=${encodeURIComponent(page.nextCursor ?? '')}`);
    expect(next.items.map(({ jobId: id }) => id)).toEqual([older]);
    const failed = await list('status=failed&kind=backtest');
    expect(failed.items.map(({ jobId: id }) => id)).toContain(newer);
    expect(failed.items.map(({ jobId: id }) => id)).not.toContain(older);
    const other = `limit=1&cursor=${encodeURIComponent(page.nextCursor ?? '')}`;
    expect(await service.get(`/jobs?${other}`)).toMatchObject({ status: 400, body: { code: 'invalid_cursor' } });
    expect(await service.get('/jobs?status=open')).toMatchObject({
      status: 400,
      body: { errors: [{ path: '/status' }] },
    });
    expect(await service.get('/jobs', { client: 'returns-reader' })).toMatchObject({ status: 403 });
  });

  it('cannot be cancelled after their end', async () => {
    const [done, failed] = [
      await waitingJob(stack.info, { status: 'done' }),
      await waitingJob(stack.info, { status: 'failed', failure: { code: 'timeout', part: 3 } }),
    ];
    expect(await service.post(`/jobs/${done}/cancel`)).toMatchObject({
      status: 409,
      body: { code: 'invalid_transition' },
    });
    expect(await service.post(`/jobs/${failed}/cancel`)).toMatchObject({ status: 409 });
    expect(await service.get(`/jobs/${failed}`)).toMatchObject({
      body: { status: 'failed', failure: { code: 'timeout', part: 3 } },
    });
  });

  it('get workers even when the first messages for them were lost', async () => {
    const id = await waitingJob(stack.info, { updatedAt: new Date(Date.now() - 61_000).toISOString() });
    expect(await ended(service, `/jobs/${id}`)).toMatchObject({ status: 'done', progress: { examined: 0 } });
  });

  it('return 404 when they are unknown or expired', async () => {
    for (const id of [unknown, await waitingJob(stack.info, { id: `job_${ulid(1)}` })]) {
      expect(await service.get(`/jobs/${id}`)).toMatchObject({ status: 404, body: { code: 'job_not_found' } });
      expect(await service.post(`/jobs/${id}/cancel`)).toMatchObject({ status: 404, body: { code: 'job_not_found' } });
    }
  });
});

describe.each(contractModes(import.meta.filename))('%s exports and erasures', (mode) => {
  takeOutAndErase(mode, () => stack, ended);
});
