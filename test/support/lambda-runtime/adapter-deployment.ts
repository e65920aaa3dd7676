import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { toOperation } from '../../../lib/contract/entry.ts';
import { basePath, requestBody } from '../../../lib/contract/operation.ts';
import type { JsonObject } from '../../../lib/runtime/json.ts';
import { runNode } from '../../../lib/tools/command-line/run-node.ts';
import { openContainer } from '../../../lib/tools/conform/container.ts';
import { readAdapter } from '../../../lib/tools/template/adapters/read-adapter.ts';
import { allClaims, apiEvent } from './api-event.ts';
import { type Container, startContainer } from './container.ts';
import { unzip } from './unzip.ts';

/* The built functions of an adapter, in AWS's runtime client, with a journal of their own. */

const timeoutMs = 15_000;

export type AdapterDeploymentOptions = {
  readonly adapter: string;
  readonly serviceUrl: string;
  readonly authUrl: string;
  readonly client: { readonly clientId: string; readonly clientSecret: string };
};

export type Answered = { readonly status: number; readonly body: JsonObject };

export type CallOptions = {
  /** The idempotency key of a command. */
  readonly key?: string;
  /** Parameters of the query that the operation does not have. */
  readonly query?: Readonly<Record<string, string>>;
};

/** Builds the adapter, and starts its functions when they are first called. */
export const openAdapterDeployment = async ({
  adapter: adapterName,
  serviceUrl,
  authUrl,
  client,
}: AdapterDeploymentOptions) => {
  const build = await readAdapter(adapterName);
  if (!build.ok) throw new Error(build.failure);
  const { adapter, offer } = build.value;
  await using opened = new AsyncDisposableStack();
  const root = await mkdtemp(join(tmpdir(), 'adapter-'));
  opened.defer(() => rm(root, { recursive: true, force: true }));
  await runNode(['lib/tools/build/build.ts', '--adapter', adapterName, '--root', root]);
  opened.use(
    await openContainer({
      serviceUrl,
      authUrl,
      parameters: adapter.parameters,
      clientSecret: JSON.stringify(client),
    }),
  );
  const resources = opened.move();
  const environment = Object.fromEntries(
    Object.entries(process.env).filter((pair): pair is [string, string] => pair[1] !== undefined),
  );
  const containers = new Map<string, Container>();
  const containerOf = async (name: string): Promise<Container> => {
    const known = containers.get(name);
    if (known !== undefined) return known;
    const container = await startContainer({
      spec: {
        arn: `arn:aws:lambda:eu-central-1:000000000000:function:${name}`,
        name,
        handler: `dist/adapters/${adapterName}/${name}/index.handler`,
        timeoutMs,
        memoryMb: 512,
      },
      code: (taskRoot) => unzip(join(root, `dist/adapters/${adapterName}/${name}.zip`), taskRoot),
      environment,
    });
    resources.use(container);
    containers.set(name, container);
    return container;
  };

  /** Sends a request with an input of an operation, as the API does. */
  const call = async (name: string, input: JsonObject, { key, query }: CallOptions = {}): Promise<Answered> => {
    const entry = offer.entries[name];
    if (entry === undefined) throw new Error(`no operation ${name}`);
    const operation = toOperation(name, entry);
    const body = requestBody(operation, input);
    const { returnId, ...others } = input;
    const event = apiEvent(
      { method: operation.method, path: `${basePath}${operation.path}`, functionArn: '', timeoutMs, scopes: [] },
      {
        claims: allClaims,
        headers: { 'content-type': 'application/json', ...(key !== undefined && { 'idempotency-key': key }) },
        pathParameters: typeof returnId === 'string' ? { returnId } : {},
        ...(body !== undefined && { body }),
      },
    );
    const inQuery = Object.entries(others).filter(([field]) => operation.query.includes(field));
    const parameters = Object.fromEntries(inQuery.map(([field, value]) => [field, String(value)]));
    const container = await containerOf(name);
    const { outcome } = await container.invoke({ ...event, queryStringParameters: { ...parameters, ...query } });
    if (outcome.kind === 'error') throw new Error(outcome.error.errorMessage);
    const { statusCode, body: text } = outcome.payload as { readonly statusCode: number; readonly body: string };
    return { status: statusCode, body: JSON.parse(text) as JsonObject };
  };
  return { call, close: () => resources.disposeAsync() };
};

export type AdapterDeployment = Awaited<ReturnType<typeof openAdapterDeployment>>;
