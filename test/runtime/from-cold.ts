import { readFileSync } from 'node:fs';
import { Ajv2020 } from 'ajv/dist/2020.js';
import formats from 'ajv-formats';
import { expect, it } from 'vitest';
import { basePath } from '../../lib/contract/operation.ts';
import { functionSpecs } from '../../lib/tools/local/emulators/functions.ts';
import type { FunctionSpec } from '../../lib/tools/local/emulators/function-spec.ts';
import { mappingsOf } from '../../lib/tools/local/emulators/queue-poller.ts';
import { schedulesOf } from '../../lib/tools/local/schedules/schedules.ts';
import { streamMappingsOf } from '../../lib/tools/local/streams/mapping.ts';
import { routesOf, type Route } from '../../lib/tools/local/emulators/gateway/routes.ts';
import { allClaims, apiEvent } from '../support/lambda-runtime/api-event.ts';
import type { Container, Invoked } from '../support/lambda-runtime/container.ts';
import type { Fleet } from '../support/lambda-runtime/fleet.ts';
import { apiBodyOf, deploymentOf } from '../support/lambda-runtime/packaged.ts';
import { queueEvent } from '../support/lambda-runtime/queue-event.ts';
import { stack } from '../support/stack.ts';
import type { Mode } from '../../lib/tools/template/functions/function-row.ts';
import { runsEveryCase } from '../support/samples.ts';

type Response = { statusCode: number; headers: Record<string, string>; body: string };
type Described = { responses: Record<string, { content?: Record<string, unknown> }> };

const document = JSON.parse(readFileSync('dist/contract/openapi.json', 'utf8')) as {
  paths: Record<string, Record<string, Described>>;
};
const ajv = new Ajv2020({ strict: false });
formats.default(ajv);
ajv.addSchema(document, 'openapi');

const validate = (pointer: readonly string[], value: unknown) => {
  const names = pointer.map((name) => encodeURIComponent(name.replaceAll('~', '~0').replaceAll('/', '~1')));
  ajv.validate({ $ref: `openapi#/${names.join('/')}` }, value);
  return ajv.errors ?? [];
};

const responseOf = ({ outcome }: Invoked): Response => {
  if (outcome.kind === 'error') throw new Error(JSON.stringify(outcome.error));
  return outcome.payload as Response;
};

/** Returns the differences between a response and the contract of its route. */
const faultsOf = (route: Route, { statusCode, headers, body }: Response) => {
  const [path, method, status] = [route.path.slice(basePath.length), route.method.toLowerCase(), String(statusCode)];
  const type = headers['content-type'] ?? '';
  const promised = document.paths[path]?.[method];
  if (promised?.responses[status]?.content?.[type] === undefined) return [`status ${status} with ${type}`];
  return validate(['paths', path, method, 'responses', status, 'content', type, 'schema'], JSON.parse(body));
};

/** Returns the status of an event without body and query for a missing resource: a write lacks its facts or its key. */
const expectedStatus = ({ path, method }: Route): number => {
  if (method === 'PUT' && path.endsWith('/draft')) return 428;
  // They need only the resource.
  if (path.endsWith('/draft/lint') || path.endsWith('/test')) return 404;
  if (method === 'DELETE') return 404;
  if (method !== 'GET' || /\/(diff|analytics|policies\/text)$/.test(path)) return 400;
  // A shop whose setting was never changed has the version 0.
  return path.includes('{') && !path.includes('/write-back/shops/') ? 404 : 200;
};

const nothing = { left: [] };

const unauthorized = {
  ...nothing,
  statusCode: 401,
  headers: { 'content-type': 'application/problem+json' },
  problem: { code: 'invalid_token', status: 401 },
};

/** Returns the response to a caller without claims, whom the gateway would reject. */
const answerUnauthorized = async (container: Container, route: Route) => {
  if (route.authorizer === undefined) return unauthorized;
  const invoked = await container.invoke(apiEvent(route));
  const { statusCode, headers, body } = responseOf(invoked);
  return { left: invoked.left, statusCode, headers, problem: JSON.parse(body) as unknown };
};

const batch = queueEvent([{ messageId: 'm-1', body: 'poison' }]);

/** The report of each schedule on its run, besides the absence of failures. */
const ran: Readonly<Record<string, object>> = {
  sweepIntents: { orders: 0 },
  reconcilePlatforms: { shops: 1, failed: 0 },
  sweepInbox: { enqueued: 0, failed: 0 },
  dailySummary: { emitted: 1 },
  purgeInbox: { through: true },
  activatePolicies: { emitted: 0 },
  wakeEndpoints: { notified: 0 },
  recountReturns: { unread: 0, complete: true },
  anchorChains: { added: 0 },
  // The first run only stores the key of the search: containers may still use the previous key.
  reindexReturns: { written: 0, through: false },
  applyRetention: { through: true },
};

/**
 * The functions that `npm test` starts: one for each method, queue and trigger. in-a-flow.ts and deliver-webhooks.ts
 * use most of them in the same containers.
 */
const representatives: ReadonlySet<string> = new Set([
  'approve',
  'createReturn',
  'expireReturns',
  'getHistory',
  'getReturn',
  'process',
  'publishEvents',
  'receiveWebhook',
  'registerOrder',
  'runJob',
]);
const isChosen = ({ key }: FunctionSpec): boolean => runsEveryCase() || representatives.has(key);

/** Starts each function of a mode, and asks for a missing resource: cold, and once more. */
export const fromCold = async (mode: Mode, fleet: () => Fleet): Promise<void> => {
  const deployment = await deploymentOf(mode, stack());
  const specs = functionSpecs(deployment);
  const routes = routesOf(apiBodyOf(deployment, 'Api'));
  const hooks = routesOf(apiBodyOf(deployment, 'Hooks'));
  const web = routesOf(apiBodyOf(deployment, 'Web'));
  const mappings = mappingsOf(deployment, specs);
  const streams = streamMappingsOf(deployment, specs);
  const schedules = schedulesOf(deployment);
  const start = ({ arn }: FunctionSpec) => fleet().containerOf(arn);
  const of = ({ arn }: FunctionSpec) => ({
    route: routes.find((one) => one.functionArn === arn && one.path.startsWith(basePath)),
    hook: hooks.find((one) => one.functionArn === arn),
    page: web.find((one) => one.functionArn === arn && one.authorizer === undefined),
    mapping: mappings.find((one) => one.function.arn === arn),
    stream: streams.find((one) => one.function.arn === arn),
    schedule: schedules.find((one) => one.functionArn === arn),
  });

  it.each(specs.filter((spec) => isChosen(spec) && of(spec).route !== undefined))(
    '$key answers as documented',
    async (spec) => {
      const { route } = of(spec);
      if (route === undefined) return;
      const container = await start(spec);
      // Loading sends no request: a freeze may interrupt a request that starts here.
      expect(await container.ready).toEqual({ left: [], requests: 0 });
      expect(await answerUnauthorized(container, route)).toMatchObject(unauthorized);
      for (const time of ['cold', 'warm']) {
        const known = await container.invoke(apiEvent(route, { claims: allClaims }));
        expect({ time, faults: faultsOf(route, responseOf(known)) }).toEqual({ time, faults: [] });
        expect(responseOf(known).statusCode).toBe(expectedStatus(route));
        expect(known).toMatchObject(nothing);
      }
    },
  );

  it.each(specs.filter((spec) => isChosen(spec) && of(spec).hook !== undefined))(
    '$key rejects an unsigned event',
    async (spec) => {
      const { hook } = of(spec);
      if (hook === undefined) return;
      const container = await start(spec);
      expect(await container.ready).toEqual({ left: [], requests: 0 });
      const invoked = await container.invoke(apiEvent(hook, { body: '{}' }));
      const { statusCode, body } = responseOf(invoked);
      expect([400, 401]).toContain(statusCode);
      expect(validate(['components', 'schemas', 'Problem'], JSON.parse(body))).toEqual([]);
      expect(invoked).toMatchObject(nothing);
    },
  );

  // The web API also serves the operations, to tokens of persons: test/contract/users-operations.test.ts calls them.
  const isPage = (spec: FunctionSpec): boolean => of(spec).page !== undefined && of(spec).route === undefined;
  it.each(specs.filter((spec) => runsEveryCase() && isPage(spec)))('$key answers a browser', async (spec) => {
    const { page } = of(spec);
    if (page === undefined) return;
    const container = await start(spec);
    expect(await container.ready).toEqual({ left: [], requests: 0 });
    const invoked = await container.invoke(apiEvent(page));
    // The mode is stopped meanwhile, so no operation can be invoked.
    expect(responseOf(invoked).statusCode).toBe(spec.key === 'publishedPolicy' ? 503 : 200);
    expect(invoked).toMatchObject(nothing);
  });

  it.each(specs.filter((spec) => isChosen(spec) && of(spec).mapping !== undefined))(
    '$key dead-letters an unknown message',
    async (spec) => {
      const container = await start(spec);
      expect(await container.ready).toEqual({ left: [], requests: 0 });
      const invoked = await container.invoke(batch);
      // An unknown delivery is dead-lettered with its reason. An unknown job goes to the DLQ of its queue.
      const batchItemFailures = ['runJob', 'receiveEvents', 'deliverEvents', 'writeBack', 'sendMails'].includes(
        spec.key,
      )
        ? [{ itemIdentifier: 'm-1' }]
        : [];
      expect(invoked.outcome).toEqual({ kind: 'response', payload: { batchItemFailures } });
      expect(invoked).toMatchObject(nothing);
    },
  );

  it.each(specs.filter((spec) => isChosen(spec) && of(spec).stream !== undefined))(
    '$key skips records of other types',
    async (spec) => {
      const container = await start(spec);
      expect(await container.ready).toEqual({ left: [], requests: 0 });
      const Keys = { pk: { S: 'IDEMPOTENCY#a#b' }, sk: { S: 'ANSWER' } };
      const invoked = await container.invoke({ Records: [{ eventName: 'MODIFY', dynamodb: { Keys } }] });
      const payload = spec.key === 'countReturns' ? { counted: 0 } : { batchItemFailures: [] };
      expect(invoked.outcome).toEqual({ kind: 'response', payload });
      expect(invoked).toMatchObject(nothing);
    },
  );

  it.each(specs.filter((spec) => isChosen(spec) && of(spec).schedule !== undefined))(
    '$key has nothing to do',
    async (spec) => {
      const container = await start(spec);
      expect(await container.ready).toEqual({ left: [], requests: 0 });
      const invoked = await container.invoke({});
      expect(invoked.outcome).toMatchObject({ kind: 'response', payload: ran[spec.key] ?? { failed: 0 } });
      expect(invoked).toMatchObject(nothing);
    },
  );

  it('has an event for every function but the doctor', () => {
    const silent = specs.filter((spec) => Object.values(of(spec)).every((trigger) => trigger === undefined));
    expect(silent.map(({ key }) => key)).toEqual(['doctor']);
  });
};
