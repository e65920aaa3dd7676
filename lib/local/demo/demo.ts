import { randomUUID } from 'node:crypto';
import type { Output } from '../../contract/contract.ts';
import { awaitWebhook, webhookEndpoints } from './demo-webhooks.ts';
import type { SecretsCalled, StackEvent } from '../events.ts';
import { markLogs } from './log-excerpt.ts';
import type { Progress } from './progress.ts';
import type { Recorder } from './recorder.ts';
import { seed } from './seed.ts';
import type { Stack } from '../stack.ts';
import { historyRows, timelineRows } from './timeline.ts';

const stepDeadline = 60_000;

type Demo = {
  readonly stack: Stack;
  readonly recorder: Recorder;
  readonly progress: Progress;
  /** The folder with the logs of the functions. */
  readonly dataDir: string;
  /** Whether calls, messages and schedules are printed too. */
  readonly verbose: boolean;
  /** Whether the stack also gets the returns of an invented shop. */
  readonly isSeeded: boolean;
};

/** A step that failed, with the lines of the functions' logs that explain it. */
export class StepError extends Error {
  override readonly name = 'StepError';
  readonly excerpt: readonly string[];

  constructor(title: string, excerpt: readonly string[], cause: unknown) {
    super(`The step "${title}" failed`, { cause });
    this.excerpt = excerpt;
  }
}

type Step<Result> = (signal: AbortSignal) => Promise<Result>;

/** Runs a step on a line of its own. */
const runStep = async <Result>(
  { recorder, progress, dataDir, verbose }: Demo,
  title: string,
  step: Step<Result>,
  show: (result: Result) => string,
): Promise<Result> => {
  const mark = recorder.mark();
  const start = Date.now();
  const explain = markLogs(dataDir);
  const work = async () => {
    try {
      return await step(AbortSignal.timeout(stepDeadline));
    } catch (error) {
      throw new StepError(title, explain(), error);
    }
  };
  try {
    return await progress.step(title, work, show);
  } finally {
    if (verbose) progress.print(...timelineRows(recorder.since(mark), start));
  }
};

const answered = (source: 'connected' | 'standalone', method: string, path: RegExp | string) => (event: StackEvent) =>
  event.type === 'answered' &&
  event.source === source &&
  event.method === method &&
  (typeof path === 'string' ? path === event.path : path.test(event.path));

const succeeded = (wanted: (event: StackEvent) => boolean) => (event: StackEvent) =>
  wanted(event) && 'status' in event && event.status < 300;

/** Sends a request to the connected mode, and waits until its gateway has reported it. */
const send = async (
  recorder: Recorder,
  url: string,
  request: RequestInit & { signal: AbortSignal },
): Promise<string> => {
  const mark = recorder.mark();
  const response = await fetch(url, request);
  const text = await response.text();
  await recorder.next(mark, answered('connected', request.method ?? 'GET', new URL(url).pathname), request.signal);
  if (!response.ok) throw new Error(`answered ${response.status}: ${text}`);
  return text;
};

const postWebhook =
  ({ stack, recorder }: Demo): Step<void> =>
  async (signal) => {
    const { url, orderIds } = stack.info.webhooks.shopify;
    const [orderId] = orderIds;
    if (orderId === undefined) throw new Error('the shop has no orders');
    const { headers, body } = stack.shop.webhook(orderId);
    await send(recorder, url, { method: 'POST', headers, body: new Uint8Array(body), signal });
  };

const isSharedToken = ({ action, secretId }: SecretsCalled): boolean =>
  action === 'GetSecretValue' && /-Shared\w+Token-/.test(secretId);

/** A function obtained a token, or read the shared token that the refresher obtained earlier. */
const hadToken = (event: StackEvent): boolean =>
  (event.type === 'token' || (event.type === 'secret' && isSharedToken(event))) && event.status === 200;

const isCreation = succeeded(answered('standalone', 'POST', '/v1/returns'));

/** The events that processing must cause, each with the message for its absence. */
const consequences: readonly (readonly [string, (event: StackEvent) => boolean])[] = [
  ['SQS delivered no message', (event) => event.type === 'batch'],
  ['the order was not fetched from the shop', (event) => event.type === 'graphql'],
  [
    'the client secret was not read',
    (event) => event.type === 'secret' && event.secretId === 'returns/client' && event.status === 200,
  ],
  ['no token was obtained', hadToken],
  ['the order was not registered', succeeded(answered('standalone', 'PUT', /^\/v1\/orders\//))],
  ['the return was not created', isCreation],
  [
    'the function process did not succeed',
    (event) => event.type === 'invoked' && event.function === 'process' && event.error === undefined,
  ],
];

/** Waits until the delivery has created a return in the service, and returns the id of that return. */
const awaitReturn =
  ({ recorder }: Demo, from: number): Step<string> =>
  async (signal) => {
    for (const [absence, wanted] of consequences) {
      await recorder.next(from, wanted, signal).catch((cause: unknown) => {
        throw new Error(absence, { cause });
      });
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
  const post = async (method: string, path: string, body: object, signal: AbortSignal) =>
    send(recorder, `${url}${path}`, {
      method,
      headers: { ...headers, 'idempotency-key': randomUUID() },
      body: JSON.stringify(body),
      signal,
    });
  return {
    register: (async (signal) => {
      const unitPrice = { amount: 1999, currency: 'EUR' };
      const lines = [{ lineId, sku: 'SHIRT-M', quantity: 1, unitPrice }];
      const facts = { currency: 'EUR', observedAt: new Date().toISOString(), lines };
      await post('PUT', `/orders/${platform}/${orderId}`, facts, signal);
    }) satisfies Step<void>,
    request: (async (signal) => {
      const lines = [{ orderLineId: lineId, quantity: 1, reason: { code: 'fit.too_small' } }];
      const text = await post('POST', '/returns', { order: { platform, orderId }, lines }, signal);
      return (JSON.parse(text) as Output<'createReturn'>).returnId;
    }) satisfies Step<string>,
  };
};

const takeToken =
  ({ stack: { info } }: Demo): Step<string> =>
  async (signal) => {
    const client = info.clients.find(({ clientId }) => clientId === 'returns-admin');
    if (client === undefined) throw new Error('there is no client returns-admin');
    const body = new URLSearchParams({
      grant_type: 'client_credentials',
      client_id: client.clientId,
      client_secret: client.clientSecret,
      scope: client.scopes.join(' '),
    });
    const response = await fetch(info.tokenUrl, { method: 'POST', body, signal });
    if (response.status !== 200) throw new Error(`answered ${response.status}: ${await response.text()}`);
    return ((await response.json()) as { access_token: string }).access_token;
  };

const isWarm = (event: StackEvent): boolean =>
  event.type === 'invoked' && event.source === 'connected' && event.function === 'getReturn' && !event.cold;

/** The steps of an agent with a token on one return, in the connected mode. */
const agent = ({ stack, recorder }: Demo, id: string, token: string) => {
  const url = `${stack.info.connected.url}/v1/returns/${id}`;
  const authorization = `Bearer ${token}`;
  const read = (address: string, signal: AbortSignal) =>
    send(recorder, address, { headers: { authorization }, signal });
  return {
    approve: (async (signal) => {
      const headers = { authorization, 'idempotency-key': randomUUID(), 'content-type': 'application/json' };
      const text = await send(recorder, `${url}/approve`, { method: 'POST', headers, body: '{}', signal });
      const { status } = JSON.parse(text) as Output<'approve'>;
      if (status !== 'approved') throw new Error(`the return is ${status}`);
    }) satisfies Step<void>,
    history: (async (signal) => {
      const { items } = JSON.parse(await read(`${url}/history`, signal)) as Output<'getHistory'>;
      if (items.length < 2) throw new Error(`the history has ${items.length} entries`);
      return items;
    }) satisfies Step<Output<'getHistory'>['items']>,
    /** Reads twice. The second time the container reuses its token. */
    readTwice: (async (signal) => {
      await read(url, signal);
      const before = stack.tokenRequests();
      const mark = recorder.mark();
      await read(url, signal);
      const after = stack.tokenRequests();
      await recorder.next(mark, isWarm, signal);
      await recorder.next(mark, answered('standalone', 'GET', new URL(url).pathname), signal);
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
 * @returns the id of the return
 * @throws {StepError} for the first step that fails
 */
export const runDemo = async (demo: Demo): Promise<string> => {
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
    (signal) => subscribe(['return.approved'], signal),
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
    (signal) => awaitWebhook(recorder, from, { type: 'return.approved', subject: id }, signal),
    () => 'signature verified',
  );
  const items = await step('Read the history', history, (entries) => entries.map(({ type }) => type).join(', '));
  if (verbose) progress.print(...historyRows(items));
  await step('Read the return twice', readTwice, () => 'the warm container requests no token');
  if (demo.isSeeded)
    await step(
      'Make the returns of an invented shop',
      (signal) => seed(demo.stack.info.standalone.url, token, Date.now(), signal),
      (count) => `${count} returns`,
    );
  progress.print(`All ${steps} steps done in ${((Date.now() - start) / 1000).toFixed(1)} s.`);
  return id;
};
