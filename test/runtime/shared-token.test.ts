import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { contract, type OperationName } from '../../lib/contract/contract.ts';
import type { Operation } from '../../lib/contract/operation.ts';
import * as operations from '../../lib/contract/operations.ts';
import type { StackEvent } from '../../lib/tools/local/events.ts';
import { functionSpecs } from '../../lib/tools/local/emulators/functions.ts';
import { integrationClient } from '../../lib/tools/local/emulators/identity-state.ts';
import { freePort } from '../../lib/tools/local/ports.ts';
import type { Move } from '../../lib/tools/local/shop/returns.ts';
import { api } from '../support/api.ts';
import { deploymentOf, startPackaged } from '../support/lambda-runtime/packaged.ts';
import { metricLinesOf, metricsIn } from '../support/metric-format.ts';
import { startOwnStack, type OwnStack } from '../support/own-stack.ts';
import { orderPath, returnOf, shopOrder } from '../support/scenario.ts';
import { hooksOf } from '../webhooks/support.ts';
import { runsEveryCase, sample } from '../support/samples.ts';

const tokenNames = ['Read', 'Write', 'Admin'].map((set) => `returns-connected-Shared${set}Token`);
const scopes = ['returns:read', 'returns:write', 'returns:admin returns:write'];

/** Ids of missing resources. */
const absent: Readonly<Record<string, string>> & { readonly returnId: string } = {
  returnId: 'ret_01KAJ3V9Z8QW4T6R2M5N7P0XYB',
  parcelId: 'pcl_01KAJ3V9Z8QW4T6R2M5N7P0XYB',
  refundId: 'rfd_01KAJ3V9Z8QW4T6R2M5N7P0XYB',
  exchangeId: 'exc_01KAJ3V9Z8QW4T6R2M5N7P0XYB',
  policyId: 'pol_01KAJ3V9Z8QW4T6R2M5N7P0XYB',
  decisionId: 'dec_01KAJ3V9Z8QW4T6R2M5N7P0XYB',
  jobId: 'job_01KAJ3V9Z8QW4T6R2M5N7P0XYB',
  withdrawalId: 'wdr_01KAJ3V9Z8QW4T6R2M5N7P0XYB',
  intentId: 'wbi_01KAJ3V9Z8QW4T6R2M5N7P0XYB',
  platform: 'web',
  deliveryKey: 'bm9ib2R5',
  endpointId: 'whk_01KAJ3V9Z8QW4T6R2M5N7P0XYB',
  eventId: 'evt_01KAJ3V9Z8QW4T6R2M5N7P0XYB',
  version: '1',
  code: 'fit.too_tight',
  queue: 'inbox',
  resourceId: 'ret_01KAJ3V9Z8QW4T6R2M5N7P0XYB',
  sequence: '1',
};

/** The operations without a resource that could be missing. */
const ofPolicies =
  /^\/(policies|decisions|reasons|jobs|exports|erasures|events|inbox|dead-letters|webhook-endpoints|summary|analytics|withdrawals|write-back|bulk-commands|returns\/views|users)/;
const found: Readonly<Record<string, number>> = {
  listPolicies: 200,
  listEvents: 200,
  listJobs: 200,
  getSummary: 200,
  getAnalytics: 200,
  listInboxDeliveries: 200,
  replayRange: 200,
  redrive: 200,
  listDeadLetters: 200,
  redriveDeadLetters: 200,
  createPolicy: 201,
  createWebhookEndpoint: 201,
  listWebhookEndpoints: 200,
  createExport: 201,
  createBulk: 201,
  findReturns: 200,
  listIntents: 200,
  getWriteBack: 200,
  setWriteBack: 412,
  reportWriteBack: 200,
  countViews: 200,
  getPolicyText: 200,
  eraseCustomer: 201,
  listReasons: 200,
  listUsers: 200,
  listWithdrawals: 200,
  declareWithdrawal: 201,
  putReason: 412,
};

const queries: Readonly<Record<string, string>> = {
  diffVersions: '?from=1&to=2',
  getAnalytics: '?groupBy=day',
  getPolicyText: '?country=PT',
};

const unknownReturn = { input: { returnId: absent.returnId } };

const refreshed = (event: StackEvent) => event.type === 'invoked' && event.function === 'refreshToken';

let stack: OwnStack;
const first = async (fits: (event: StackEvent) => boolean) => stack.events.find(fits) ?? stack.next(fits);

beforeAll(async () => {
  stack = await startOwnStack({ sharedToken: true, schedules: true });
  await first(refreshed);
});
afterAll(async () => stack.close());

/** Returns the number of token requests of the connected mode. */
const posts = () =>
  stack.events.filter((event) => event.type === 'token' && event.clientId === integrationClient).length;

const start = async (key: string, changes: Readonly<Record<string, string>> = {}) => {
  const spec = functionSpecs(await deploymentOf('connected', stack.info)).find((one) => one.key === key);
  if (spec === undefined) throw new Error(`there is no function ${key}`);
  return startPackaged('connected', spec, stack.info, changes);
};

const storedTokens = () =>
  tokenNames.map((name) => (JSON.parse(stack.secrets.get(name).secretString ?? '') as { token: string }).token);

describe('shared token', () => {
  it('is obtained by the schedule, once for each set of scopes', async () => {
    expect(await first(refreshed)).toMatchObject({ trigger: 'schedule' });
    expect(await first(refreshed)).not.toHaveProperty('error');
    expect(posts()).toBe(3);
    expect(new Set(storedTokens()).size).toBe(3);
  });

  it('is enough for every function and caller', async () => {
    for (const client of ['returns-admin', 'returns-partner']) {
      const service = api('connected', stack.info);
      const as = { client };
      const order = { platform: 'web', orderId: crypto.randomUUID() };
      const refund = { amount: { amount: 1, currency: 'EUR' }, occurredAt: '2026-11-20T08:00:00Z' };
      await service.put(orderPath(order), shopOrder(), as);
      const { body } = await service.post('/returns', returnOf(order), as);
      const path = `/returns/${body.returnId}`;
      const calls: readonly (readonly [status: number, send: () => ReturnType<typeof service.get>])[] = [
        [200, async () => service.patch(path, { tags: ['vip'] }, { ...as, headers: { 'if-match': '"1"' } })],
        [200, async () => service.get(path, as)],
        [200, async () => service.post(`${path}/approve`, undefined, as)],
        [200, async () => service.post(`${path}/cancel`, undefined, as)],
        [409, async () => service.post(`${path}/reject`, { code: 'final_sale' }, as)],
        [201, async () => service.put(`${orderPath(order)}/refunds/1`, refund, as)],
        [200, async () => service.get(`${path}/history`, as)],
        [200, async () => service.get(`/returns?platform=web&orderId=${order.orderId}`, as)],
        [200, async () => service.get(orderPath(order), as)],
        [200, async () => service.get(`${orderPath(order)}/returnable`, as)],
        [200, async () => service.get('/health', as)],
        [200, async () => service.get('/asyncapi.json', as)],
      ];
      for (const [status, send] of runsEveryCase() ? calls : calls.slice(0, 3))
        expect(await send()).toMatchObject({ status });
    }
    // The other operations, on a missing return.
    // A token for the search of customers is not shared.
    const shared = Object.values<Operation>(operations).filter(({ scope }) => scope !== 'returns:search');
    const others = sample(shared, 12);
    for (const client of sample(['returns-admin', 'returns-partner'], 2)) {
      const service = api('connected', stack.info);
      for (const { name, method, path, scope } of others) {
        const reads = method === 'GET' && (path.endsWith('/verification') || ofPolicies.test(path));
        const alsoSent = ['updateParcel', 'importReturn'].includes(name) || ofPolicies.test(path);
        if (!reads && method !== 'POST' && !alsoSent) continue;
        if (scope === 'returns:admin' && client !== 'returns-admin') continue;
        const at = path.replaceAll(/\{(\w+)\}/g, (_, part: string) => absent[part] ?? 'restocking');
        const { body } = contract[name as OperationName].example;
        const options = { client, headers: { 'if-match': '"1"' } };
        const send = {
          POST: service.post,
          PATCH: service.patch,
          PUT: service.put,
          DELETE: async (to: string, _: unknown, requestOptions: typeof options) => service.delete(to, requestOptions),
        };
        const answer = reads
          ? await service.get(`${at}${queries[name] ?? ''}`, options)
          : await send[method as 'POST' | 'PATCH' | 'PUT' | 'DELETE'](at, body, options);
        // The second client declares the same again, which gets the first withdrawal.
        const isDouble = name === 'declareWithdrawal' && client !== 'returns-admin';
        expect([name, answer.status]).toEqual([name, isDouble ? 200 : (found[name] ?? 404)]);
      }
    }
    // A delivery that a shop reopens needs all three: the return is read, moved, and moved as only an admin may.
    const hooks = hooksOf(stack, 'connected');
    const request = stack.shop.webhook(stack.info.webhooks.shopify.orderIds[0] ?? '', { quantity: 1 });
    const move = (what: Move) => () => stack.shop.move(request.returnGid, what);
    for (const next of [() => request, move({ do: 'approve' }), move({ do: 'close' }), move({ do: 'reopen' })]) {
      const delivery = next();
      expect(await hooks.deliver(delivery)).toEqual({ status: 200, text: '' });
      expect(await hooks.settled(delivery.headers['x-shopify-webhook-id'])).toMatchObject([{ status: 'done' }]);
    }

    expect(posts()).toBe(3);
    const log = await readFile(join(stack.dataDir, 'logs', 'connected.log'), 'utf8');
    expect(log).not.toMatch(/refused:|"level":"warn","at":"[^"]+","message":"shared token (read|checked)"/);
    for (const token of storedTokens()) expect(log).not.toContain(token);
    const called = new Set(stack.events.flatMap((event) => (event.type === 'invoked' ? [event.function] : [])));
    const names = others.map(({ name }) => name);
    expect(names.filter((name) => name !== 'openapi' && !called.has(name))).toEqual([]);
  });

  it('serves a packaged function that has just started, without a token request', async () => {
    for (const key of ['getReturn', 'approve']) {
      await using container = await start(key);
      const event = key === 'getReturn' ? unknownReturn : { ...unknownReturn, idempotencyKey: crypto.randomUUID() };
      for (const _ of ['cold', 'warm']) {
        expect(await container.invoke(event)).toMatchObject({
          outcome: { kind: 'error', error: { errorType: 'return_not_found' } },
          left: [],
        });
      }
      const used = metricLinesOf(await container.log()).map((line) => metricsIn(line).metrics['SharedTokenUsed']);
      expect(used.filter((value) => value !== undefined)).toEqual([[1]]);
    }
    expect(posts()).toBe(3);
  });

  it('is renewed by the packaged refresher where it is missing, and unchanged elsewhere', async () => {
    await stack.secrets.put(tokenNames[1] ?? '', { secretString: '{}' });
    await using container = await start('refreshToken');
    const lifetimeMs = 3_600_000;
    const tokens = (...actions: readonly string[]) =>
      actions.map((action, index) => ({ scopes: scopes[index], action, lifetimeMs }));
    for (const write of ['renewed', 'unchanged']) {
      expect(await container.invoke({})).toMatchObject({
        outcome: { kind: 'response', payload: { tokens: tokens('unchanged', write, 'unchanged') } },
        left: [],
      });
    }
    expect(posts()).toBe(4);
    const log = await container.log();
    const lines = log.split('\n').filter((line) => line.includes('"message":"shared token checked"'));
    const actions = lines.map((line) => (JSON.parse(line) as { action: string }).action);
    expect(actions.join(' ')).toBe('unchanged renewed unchanged unchanged unchanged unchanged');
    for (const token of storedTokens()) expect(log).not.toContain(token);
  });

  it('stays in place while the token endpoint is down, which the function’s error reports', async () => {
    const before = storedTokens();
    await using container = await start('refreshToken', { AUTH_URL: `http://127.0.0.1:${await freePort()}` });
    expect(await container.invoke({})).toMatchObject({
      outcome: {
        kind: 'error',
        error: {
          errorType: 'TokensNotRefreshed',
          errorMessage: scopes.map((set) => `${set}: ECONNREFUSED`).join(', '),
        },
      },
      left: [],
    });
    expect(storedTokens()).toEqual(before);
  });
});
