import { randomUUID } from 'node:crypto';
import { afterAll, afterEach } from 'vitest';
import { openBundles } from '../../../lib/tools/local/bundles.ts';
import { readAdapter } from '../../../lib/tools/template/adapters/read-adapter.ts';
import { api, type Body } from '../../support/api.ts';
import { plant } from '../../support/emitted/record.ts';
import { secretsOfStack } from '../../support/emitted/search.ts';
import { type Answer, type Received, startServer } from '../../support/http-server.ts';
import { startForWorker, startOwnStack } from '../../support/own-stack.ts';

/* The deployment of the adapter `devolucoes`, its example service, and a proxy between them that can fail. */

/** Sends the request to the service. */
type Forward = () => Promise<Exclude<Answer, string> & { readonly status: number; readonly body: string }>;

/** What the proxy answers to a request. */
type Meddle = (forward: Forward) => Promise<Answer>;

type Rule = { readonly fits: (request: Received) => boolean; readonly meddle: Meddle };

const startFront = async () => {
  const rules: Rule[] = [];
  let target = '';
  const forwardOf =
    ({ method, path, headers, body }: Received): Forward =>
    async () => {
      const { authorization = '', 'chave-idempotencia': key } = headers;
      const response = await fetch(`${target}${path}`, {
        method,
        headers: { authorization, ...(typeof key === 'string' && { 'chave-idempotencia': key }) },
        ...(body !== '' && { body }),
      });
      return { status: response.status, body: await response.text() };
    };
  const server = await startServer(async (request) => {
    const index = rules.findIndex(({ fits }) => fits(request));
    const [rule] = index === -1 ? [] : rules.splice(index, 1);
    return rule === undefined ? forwardOf(request)() : rule.meddle(forwardOf(request));
  });
  return {
    origin: server.origin,
    requests: server.requests,
    received: server.received,
    target: (origin: string) => {
      target = origin;
    },
    /** Changes the answer to the next request with this method and this end of the path. */
    meddle: (method: string, end: string, meddle: Meddle): void =>
      void rules.push({ fits: (request) => request.method === method && request.path.endsWith(end), meddle }),
    clear: () => {
      rules.length = 0;
    },
  };
};

type StartStack = typeof startForWorker;

const start = async <Stack extends Awaited<ReturnType<StartStack>>>(
  startStack: (options: Parameters<StartStack>[0]) => Promise<Stack>,
) => {
  const read = await readAdapter('devolucoes');
  if (!read.ok) throw new Error(read.failure);
  const { offer } = read.value;
  const [front, { root }] = await Promise.all([startFront(), openBundles({ offer })]);
  const stack = await startStack({ offer, root, serviceUrl: front.origin, processingMs: () => processing.ms });
  const { service } = stack;
  if (service?.books === undefined) throw new Error('the stack has no example service');
  front.target(service.url);
  let orders = 0;
  return {
    stack,
    /** The folder of the build. */
    root,
    front,
    books: service.books,
    /** Returns the number of an order that no other test uses. */
    newOrder: (): string => {
      orders += 1;
      return `PED-${orders}`;
    },
  };
};

const memo = Symbol.for('returns.devolucoes');
const processingMemo = Symbol.for('returns.devolucoes.processing');
const startShared = () => start(startForWorker);

/** What outlives this module: each file of a worker may load it again. */
const worker = globalThis as { [memo]?: ReturnType<typeof startShared>; [processingMemo]?: { ms: number } };

/** How long the service takes for a receipt. */
export const processing = (worker[processingMemo] ??= { ms: 0 });

const openedWorld = <World extends Awaited<ReturnType<typeof startShared>>>(world: World) => {
  const { stack, front, books, newOrder } = world;
  const call = api('connected', stack.info);
  afterEach(() => {
    front.clear();
    processing.ms = 0;
  });
  afterAll(async () => plant(await secretsOfStack(stack.dataDir)));
  /** Creates a return of an order, and returns its id. */
  const create = async (order = newOrder(), quantity = 2): Promise<string> => {
    plant([`senha-unica-${order}`]);
    const { status, body } = await call.post('/returns', newReturn(order, quantity));
    if (status !== 201) throw new Error(`the return was not created: ${status}`);
    return body.returnId;
  };
  return {
    ...world,
    call,
    create,
    /** Creates a return and approves it. */
    createApproved: async (quantity = 2): Promise<string> => {
      const id = await create(newOrder(), quantity);
      await call.post(`/returns/${id}/approve`, {});
      return id;
    },
    /** Returns what has changed at the service for a return. */
    effectsOf: (id: string): readonly string[] =>
      books.effects.flatMap((effect) => (effect.startsWith(`${id} `) ? [effect.slice(id.length + 1)] : [])),
    /** Returns the requests of a method that have reached the proxy for a return. */
    requestsOf: (method: string, id: string): readonly Received[] =>
      front.requests.filter((request) => request.method === method && request.path.includes(`/devolucoes/${id}`)),
  };
};

/** Returns the deployment that all files of a worker share. */
export const openWorld = async () => openedWorld(await (worker[memo] ??= startShared()));

/** Returns a deployment of a file, whose functions have deadlines that a test can await. */
export const openWorldWithDeadlines = async () => {
  const world = await start((options) => startOwnStack({ ...options, timeScale: 2 }));
  afterAll(world.stack.close);
  return openedWorld(world);
};

/** A request for a return of shirts. */
export const newReturn = (orderId: string, quantity = 2) => ({
  order: { orderId },
  lines: [{ orderLineId: '1', quantity, reason: { code: 'tamanho_pequeno', note: 'aperta nos ombros' } }],
});

export const newKey = (): string => randomUUID();

/** Returns an answer of the service with changes to its JSON. */
export const edited =
  (edit: (body: Record<string, unknown>) => object): Meddle =>
  async (forward) => {
    const { status, body } = await forward();
    return { status, body: JSON.stringify(edit(JSON.parse(body) as Record<string, unknown>)) };
  };

/** Lets the service act, and then breaks the connection. */
export const resetAfterwards: Meddle = async (forward) => {
  await forward();
  return 'reset';
};

/** The fields of a problem, without those that differ in each answer. */
export const problemOf = ({ status, body }: { readonly status: number; readonly body: Body }) => {
  const { code, errors } = body;
  return { status, code, ...(errors !== undefined && { errors }) };
};
