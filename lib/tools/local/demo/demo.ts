import { randomUUID } from 'node:crypto';
import type { Output } from '../../../contract/contract.ts';
import { call, callForText, shortly } from './call.ts';
import { awaitWebhook, webhookEndpoints } from './demo-webhooks.ts';
import type { SecretsCalled, StackEvent } from '../events.ts';
import type { Recorder } from './recorder.ts';
import { type Demo, runStep, type Step } from './step.ts';
import type { Wait } from '../waits.ts';
import { historyRows } from './timeline.ts';

const isAnswer = (source: 'connected' | 'standalone', method: string, path: RegExp | string) => (event: StackEvent) =>
  event.type === 'answered' &&
  event.source === source &&
  event.method === method &&
  (typeof path === 'string' ? path === event.path : path.test(event.path));

const succeeded = (wanted: (event: StackEvent) => boolean) => (event: StackEvent) =>
  wanted(event) && 'status' in event && event.status < 300;

/** Sends a request to the connected mode, and waits until its gateway has reported it. */
const send = async (recorder: Recorder, url: string, request: RequestInit, wait: Wait): Promise<string> => {
  const mark = recorder.mark();
  const answered = await call(url, request, wait);
  const isReported = isAnswer('connected', request.method ?? 'GET', new URL(url).pathname);
  const isLast = (event: StackEvent) => isReported(event) && 'status' in event && event.status === answered.status;
  await recorder.next(mark, isLast, wait.signal);
  if (answered.status >= 300) throw new Error(shortly(answered));
  return answered.text;
};

const postWebhook =
  ({ stack, recorder }: Demo): Step<void> =>
  async (wait) => {
    const { url, orderIds } = stack.info.webhooks.shopify;
    const [orderId] = orderIds;
    if (orderId === undefined) throw new Error('the shop has no orders');
    const { headers, body } = stack.shop.webhook(orderId);
    await send(recorder, url, { method: 'POST', headers, body: new Uint8Array(body) }, wait);
  };

const isSharedToken = ({ action, secretId }: SecretsCalled): boolean =>
  action === 'GetSecretValue' && /-Shared\w+Token-/.test(secretId);

/** A function obtained a token, or read the shared token that the refresher obtained earlier. */
const hadToken = (event: StackEvent): boolean =>
  (event.type === 'token' || (event.type === 'secret' && isSharedToken(event))) && event.status === 200;

const isCreation = succeeded(isAnswer('standalone', 'POST', '/v1/returns'));

/** The events that processing must cause, each with the state before it. */
const consequences: readonly (readonly [string, (event: StackEvent) => boolean])[] = [
  ['SQS has delivered no message', (event) => event.type === 'batch'],
  ['the order is not fetched from the shop', (event) => event.type === 'graphql'],
  [
    'the client secret is not read',
    (event) => event.type === 'secret' && event.secretId === 'returns/client' && event.status === 200,
  ],
  ['no token is obtained', hadToken],
  ['the order is not registered', succeeded(isAnswer('standalone', 'PUT', /^\/v1\/orders\//))],
  ['the return is not created', isCreation],
  [
    'the function process has not succeeded',
    (event) => event.type === 'invoked' && event.function === 'process' && event.error === undefined,
  ],
];

/** Waits until the delivery has created a return in the service, and returns the id of that return. */
const awaitReturn =
  ({ recorder }: Demo, from: number): Step<string> =>
  async ({ note, progress, signal }) => {
    for (const [state, wanted] of consequences) {
      note(state);
      await recorder.next(from, wanted, signal);
      progress();
    }
    const created = recorder.since(from).find(isCreation);
    const location = created?.type === 'answered' ? created.location : undefined;
    const id = /^\/v1\/returns\/([^/]+)$/.exec(location ?? '')?.[1];
    if (id === undefined) throw new Error(`the Location header names no return: ${location}`);
    return id;
  };

/** The platforms whose webhooks are accepted, as the parameter names them. */
const platformsOf = ({ stack }: Demo): readonly string[] =>
  (stack.info.parameters.connected['Platforms'] ?? 'shopify').split(',');

/** Creates the order and the return by the API, for platforms without a local shop. */
const viaApi = ({ stack, recorder }: Demo, platform: string, token: string) => {
  const url = `${stack.info.connected.url}/v1`;
  const orderId = `demo-${randomUUID()}`;
  const lineId = '1';
  const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' };
  const post = async (method: string, path: string, body: object, wait: Wait) => {
    const keyed = { ...headers, 'idempotency-key': randomUUID() };
    return send(recorder, `${url}${path}`, { method, headers: keyed, body: JSON.stringify(body) }, wait);
  };
  return {
    register: (async (wait) => {
      const unitPrice = { amount: 1999, currency: 'EUR' };
      const lines = [{ lineId, sku: 'SHIRT-M', quantity: 1, unitPrice }];
      const facts = { currency: 'EUR', observedAt: new Date().toISOString(), lines };
      await post('PUT', `/orders/${platform}/${orderId}`, facts, wait);
    }) satisfies Step<void>,
    request: (async (wait) => {
      const lines = [{ orderLineId: lineId, quantity: 1, reason: { code: 'fit.too_small' } }];
      const text = await post('POST', '/returns', { order: { platform, orderId }, lines }, wait);
      return (JSON.parse(text) as Output<'createReturn'>).returnId;
    }) satisfies Step<string>,
  };
};

const takeToken =
  ({ stack: { info } }: Demo): Step<string> =>
  async (wait) => {
    const client = info.clients.find(({ clientId }) => clientId === 'returns-admin');
    if (client === undefined) throw new Error('there is no client returns-admin');
    const body = new URLSearchParams({
      grant_type: 'client_credentials',
      client_id: client.clientId,
      client_secret: client.clientSecret,
      scope: client.scopes.join(' '),
    });
    const text = await callForText(info.tokenUrl, { method: 'POST', body }, wait);
    return (JSON.parse(text) as { access_token: string }).access_token;
  };

const isWarm = (event: StackEvent): boolean =>
  event.type === 'invoked' && event.source === 'connected' && event.function === 'getReturn' && !event.cold;

/** The steps of an agent with a token on one return, in the connected mode. */
const agent = ({ stack, recorder }: Demo, id: string, token: string) => {
  const url = `${stack.info.connected.url}/v1/returns/${id}`;
  const authorization = `Bearer ${token}`;
  const read = (address: string, wait: Wait) => send(recorder, address, { headers: { authorization } }, wait);
  return {
    approve: (async (wait) => {
      const headers = { authorization, 'idempotency-key': randomUUID(), 'content-type': 'application/json' };
      const text = await send(recorder, `${url}/approve`, { method: 'POST', headers, body: '{}' }, wait);
      const { status } = JSON.parse(text) as Output<'approve'>;
      if (status !== 'approved') throw new Error(`the return is ${status}`);
    }) satisfies Step<void>,
    history: (async (wait) => {
      const { items } = JSON.parse(await read(`${url}/history`, wait)) as Output<'getHistory'>;
      if (items.length < 2) throw new Error(`the history has ${items.length} entries`);
      return items;
    }) satisfies Step<Output<'getHistory'>['items']>,
    /** Reads twice. The second time the container reuses its token. */
    readTwice: (async (wait) => {
      await read(url, wait);
      const before = stack.tokenRequests();
      const mark = recorder.mark();
      await read(url, wait);
      const after = stack.tokenRequests();
      await recorder.next(mark, isWarm, wait.signal);
      await recorder.next(mark, isAnswer('standalone', 'GET', new URL(url).pathname), wait.signal);
      if (after !== before) throw new Error(`a warm invocation requested a token: ${before} before, ${after} after`);
    }) satisfies Step<void>,
  };
};

type RunStep = <Result>(title: string, run: Step<Result>, show: (result: Result) => string) => Promise<Result>;

const fromShop = async (demo: Demo, from: number, step: RunStep): Promise<string> => {
  await step('The shop sends a signed webhook: a customer returns goods', postWebhook(demo), () => 'HTTP 200');
  return step('The delivery becomes a return in the service', awaitReturn(demo, from), (created) => created);
};

const fromApi = async (demo: Demo, platform: string, token: string, step: RunStep): Promise<string> => {
  const { register, request } = viaApi(demo, platform, token);
  await step(`Register an order of ${platform} in connected mode`, register, () => 'HTTP 201');
  return step('Request a return of it in connected mode', request, (created) => created);
};

/**
 * Runs the demo on a new order of the shop. A customer's return reaches the service and is approved, and an endpoint
 * receives the event. A step ends when all involved servers have reported it.
 *
 * @returns the id of the return, and the token that made it
 * @throws {StepError} for the first step that fails
 */
export const runDemo = async (demo: Demo): Promise<{ readonly id: string; readonly token: string }> => {
  const { recorder, progress, verbose } = demo;
  const start = Date.now();
  let steps = 0;
  const step = <Result>(title: string, run: Step<Result>, show: (result: Result) => string) => {
    steps += 1;
    return runStep(demo, `${steps}. ${title}`, run, show);
  };
  const token = await step('Get a token', takeToken(demo), () => 'for the client returns-admin');
  const { subscribe } = webhookEndpoints(demo.stack, token);
  await step(
    'Subscribe a webhook endpoint to approvals',
    (wait) => subscribe(['return.approved'], wait),
    () => 'return.approved',
  );
  const from = recorder.mark();
  const [platform = 'shopify', ...others] = platformsOf(demo);
  const id =
    platform === 'shopify' || others.includes('shopify')
      ? await fromShop(demo, from, step)
      : await fromApi(demo, platform, token, step);
  const { approve, history, readTwice } = agent(demo, id, token);
  await step('Approve the return in connected mode', approve, () => 'approved');
  await step(
    'The endpoint receives the event',
    (wait) => awaitWebhook(recorder, from, { type: 'return.approved', subject: id }, wait),
    () => 'signature verified',
  );
  const items = await step('Read the history', history, (entries) => entries.map(({ type }) => type).join(', '));
  if (verbose) progress.print(...historyRows(items));
  await step('Read the return twice', readTwice, () => 'the warm container requests no token');
  progress.print(`All ${steps} steps done in ${((Date.now() - start) / 1000).toFixed(1)} s.`);
  return { id, token };
};
