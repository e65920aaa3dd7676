import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { buffer } from 'node:stream/consumers';
import { closeServer, listen } from '../../ports.ts';
import { lateMs, openLateRequests } from '../late-requests.ts';
import { answerSubscriptions, type Subscription } from './subscriptions.ts';
import { applyUpdate, type Node, type UpdateRequest } from './updates.ts';

/** A response that replaces the next one; `reset` ends the connection. */
export type ProjectAnswer =
  | 'reset'
  | { readonly status: number; readonly headers?: Readonly<Record<string, string>>; readonly body?: string };

/**
 * What happens to the next update. `cut_before`: the connection ends before it is applied. `cut_after`: it is applied,
 * and the answer is lost. `late`: the answer is lost, and it is applied before the first request after its time.
 * `failed_after` and `rejected_after`: it is applied, and the answer is a 502 or a 400. `conflict`: another writer is first.
 */
export type UpdateFault =
  | 'cut_before'
  | 'cut_after'
  | 'late'
  | 'failed_after'
  | 'rejected_after'
  | 'conflict'
  | 'throttled';

type Received = { readonly method: string; readonly path: string; readonly body: string };
type Request = Received & { readonly authorization: string };

const client = { clientId: 'client', clientSecret: 'a-secret-of-the-client' };
const json = (status: number, value: unknown): ProjectAnswer => ({ status, body: JSON.stringify(value) });
const errors = (status: number, code: string, more: object = {}): ProjectAnswer =>
  json(status, { statusCode: status, errors: [{ code, ...more }] });

const openState = () => ({
  /** The only order, with its payments expanded. */
  order: undefined as Node | undefined,
  /** The results of queries, by resource. */
  found: { orders: undefined, payments: undefined } as Record<string, readonly Node[] | undefined>,
  /** Answers that replace the next ones, in order. */
  failures: [] as ProjectAnswer[],
  /** Faults of the next updates. */
  faults: [] as UpdateFault[],
  /** The subscriptions of the project, by their ids. */
  subscriptions: new Map<string, Subscription>(),
  /** The scopes of the client, without the project. */
  granted: undefined as readonly string[] | undefined,
  /** Former secrets of the client, which the token endpoint rejects. */
  ended: new Set<string>(),
  /** The issued tokens with their scopes. */
  tokens: new Map<string, string>(),
  issued: 0,
  made: 0,
  late: openLateRequests(),
});
type State = ReturnType<typeof openState>;

const issueToken = (state: State, keys: readonly string[], { authorization, body }: Request): ProjectAnswer => {
  const [id, secret = ''] = Buffer.from(authorization.replace('Basic ', ''), 'base64').toString().split(':');
  if (id !== client.clientId || state.ended.has(secret)) return json(401, { error: 'invalid_client' });
  const form = new URLSearchParams(body);
  if (form.get('grant_type') !== 'client_credentials') return json(400, { error: 'unsupported_grant_type' });
  const [project = ''] = keys;
  const granted = (state.granted ?? ['manage_project']).map((name) => `${name}:${project}`);
  const scope = form.get('scope') ?? granted.join(' ');
  const isGranted = state.granted === undefined || scope.split(' ').every((name) => granted.includes(name));
  if (!isGranted) return json(400, { error: 'invalid_scope' });
  state.issued += 1;
  state.tokens.set(`token-${state.issued}`, scope);
  return json(200, { access_token: `token-${state.issued}`, token_type: 'Bearer', expires_in: 172_800, scope });
};

const read = (state: State, path: string): ProjectAnswer => {
  const { pathname, searchParams } = new URL(path, 'http://localhost');
  const [, , resource = '', id] = pathname.split('/');
  if (resource === 'subscriptions') return json(200, { limit: 100, results: [...state.subscriptions.values()] });
  if (id !== undefined) return id === state.order?.['id'] ? json(200, state.order) : errors(404, 'ResourceNotFound');
  const wanted = /payments\(id="([^"]*)"\)/.exec(searchParams.get('where') ?? '')?.[1];
  const hit = JSON.stringify(state.order ?? {}).includes(`"id":"${wanted}"`);
  const results = wanted === undefined ? (state.found[resource] ?? []) : [state.order].filter(() => hit);
  return json(200, { limit: 100, offset: 0, count: 0, results });
};

type PaymentInfo = { readonly payments: readonly { readonly id: string; readonly obj?: Node }[] };

const paymentsIn = (order: Node | undefined): PaymentInfo['payments'] =>
  (order?.['paymentInfo'] as PaymentInfo | undefined)?.payments ?? [];

const resourceAt = (state: State, resource: string, id: string): Node | undefined => {
  if (resource === 'orders') return id === state.order?.['id'] ? state.order : undefined;
  return paymentsIn(state.order).find((payment) => payment.id === id)?.obj;
};

const put = (state: State, resource: string, node: Node): void => {
  const payments = paymentsIn(state.order).map((payment) =>
    payment.id === node['id'] ? { ...payment, obj: node } : payment,
  );
  state.order = resource === 'orders' ? node : { ...state.order, paymentInfo: { payments } };
};

/** Applies an update, or says why not. */
const update = (state: State, path: string, body: string): ProjectAnswer => {
  const [, , resource = '', id = ''] = path.split('/');
  if (resource === 'subscriptions') {
    const nextId = () => `subscription-${(state.made += 1)}`;
    const [status, value] = answerSubscriptions(state.subscriptions, id, JSON.parse(body) as Node, nextId);
    return json(status, value);
  }
  const node = resourceAt(state, resource, id);
  if (node === undefined) return errors(404, 'ResourceNotFound');
  const context = { nextId: (kind: string) => `${kind}-${(state.made += 1)}`, now: new Date().toISOString() };
  const result = applyUpdate(node, JSON.parse(body) as UpdateRequest, context);
  if (typeof result['code'] === 'string')
    return errors(result['code'] === 'ConcurrentModification' ? 409 : 400, result['code'], result);
  put(state, resource, result);
  return json(200, result);
};

/** Another writer changes a resource. */
const touch = (state: State, path: string): void => {
  const [, , resource = '', id = ''] = path.split('/');
  const node = resourceAt(state, resource, id);
  if (node !== undefined) put(state, resource, { ...node, version: Number(node['version']) + 1 });
};

const write = (state: State, { path, body }: Request): ProjectAnswer => {
  const fault = state.faults.shift();
  if (fault === 'throttled') return { status: 429, headers: { 'retry-after': '0' } };
  if (fault === 'late') state.late.add(Date.now() + lateMs, () => update(state, path, body));
  if (fault === 'cut_before' || fault === 'late') return 'reset';
  if (fault === 'conflict') touch(state, path);
  const answer = update(state, path, body);
  if (fault === 'cut_after') return 'reset';
  if (fault === 'failed_after') return { status: 502 };
  return fault === 'rejected_after' ? errors(400, 'InvalidOperation') : answer;
};

const answerTo = (state: State, keys: readonly string[], request: Request): ProjectAnswer => {
  if (request.path === '/oauth/token') return issueToken(state, keys, request);
  const failure = state.failures.shift();
  if (failure !== undefined) return failure;
  const scope = state.tokens.get(request.authorization.replace('Bearer ', ''));
  if (scope === undefined) return errors(401, 'invalid_token');
  const [, project = '', resource = ''] = request.path.split(/[/?]/);
  const isWrite = request.method === 'POST';
  const isManaged = isWrite || resource === 'subscriptions';
  const access = isManaged ? `manage_${resource}:${project}` : `_${resource}:${project}`;
  if (!keys.includes(project) || !scope.includes(access)) return errors(403, 'insufficient_scope');
  return isWrite ? write(state, request) : read(state, request.path);
};

const respond = (answer: ProjectAnswer, response: ServerResponse): void => {
  if (answer === 'reset') response.destroy();
  else response.writeHead(answer.status, { 'content-type': 'application/json', ...answer.headers }).end(answer.body);
};

/** Starts the used part of the API of some projects, and its token endpoint. */
export const startProject = async (port: number, keys: readonly string[]) => {
  const state = openState();
  const requests: Received[] = [];
  const serve = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const { method = '', url: path = '', headers } = request;
    const body = (await buffer(request)).toString();
    requests.push({ method, path, body });
    await state.late.carryOut(Date.now());
    respond(answerTo(state, keys, { method, path, body, authorization: headers.authorization ?? '' }), response);
  };
  const server = createServer((request, response) => {
    serve(request, response).catch(() => response.destroy());
  });
  const origin = await listen(server, port);
  return {
    state,
    origin,
    /** The requests until now. */
    requests: requests as readonly Received[],
    entry: (changes: Node = {}) => ({ apiUrl: origin, authUrl: origin, ...client, ...changes }),
    /** Applies the updates whose answer was lost before, also those whose time has not come. */
    runLate: (): void => void state.late.carryOut(Number.POSITIVE_INFINITY),
    /** The payment service ends the open refunds of the order. */
    settle: (outcome: 'Success' | 'Failure') => {
      for (const { obj } of paymentsIn(state.order)) {
        if (obj === undefined) continue;
        const transactions = (obj['transactions'] as readonly Node[]).map((item) =>
          item['type'] === 'Refund' && item['state'] === 'Initial' ? { ...item, state: outcome } : item,
        );
        put(state, 'payments', { ...obj, version: Number(obj['version']) + 1, transactions });
      }
    },
    /** A clerk refunds an amount at the first payment of the order, if it has so much left. */
    refundByHand: (centAmount: number) => {
      const obj = paymentsIn(state.order)[0]?.obj;
      if (obj === undefined) return;
      const { transactions, version } = obj as { transactions: readonly Node[]; version: number };
      const left = transactions
        .filter(({ state: outcome }) => outcome !== 'Failure')
        .map(({ type, amount }) => (type === 'Charge' ? 1 : -1) * (amount as { centAmount: number }).centAmount)
        .reduce((sum, amount) => sum + amount, 0);
      if (centAmount > left) return;
      const amount = { centAmount, currencyCode: 'EUR' };
      const transaction = { type: 'Refund', state: 'Success', amount };
      update(
        state,
        `/p/payments/${String(obj['id'])}`,
        JSON.stringify({ version, actions: [{ action: 'addTransaction', transaction }] }),
      );
    },
    close: async () => closeServer(server),
  };
};
