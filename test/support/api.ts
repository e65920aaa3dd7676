import { randomUUID } from 'node:crypto';
import type { Problem } from '../../lib/contract/problem.ts';
import type { Output } from '../../lib/contract/contract.ts';
import type { Client } from '../../lib/tools/local/emulators/identity-state.ts';
import type { StackInfo } from '../../lib/tools/local/stack-info.ts';
import { record } from './emitted/record.ts';
import { stack } from './stack.ts';
import type { Mode } from '../../lib/tools/template/functions/function-row.ts';

/** The fields of responses that tests read. The test checks whether a response has them. */
export type Body = Pick<
  Output<'getReturn'>,
  'returnId' | 'lines' | 'parcels' | 'refunds' | 'exchanges' | 'unexpected' | 'version' | 'allowedActions'
> &
  Pick<Output<'createExport'>, 'jobId'> &
  Pick<Output<'recordRefund'>, 'refundId'> &
  Pick<Output<'getPolicy'>, 'policyId'> &
  Pick<Output<'getWebhookEndpoint'>, 'endpointId'> &
  Pick<Output<'quoteReturn'>, 'steps' | 'total' | 'hash'> &
  Output<'getHistory'> &
  Required<Pick<Problem, 'code' | 'errors'>>;

export type Answer = { status: number; headers: Headers; body: Body };

type Options = {
  /** The client of the stack that calls. */
  client?: string;
  /** A token to use instead of the client's. Null sends none. */
  token?: string | null;
  key?: string | null;
  headers?: Record<string, string>;
};

const tokens = new Map<string, Promise<string>>();

const clientOf = ({ clients }: StackInfo, clientId: string): Client => {
  const client = clients.find((one) => one.clientId === clientId);
  if (client === undefined) throw new Error(`the stack has no client ${clientId}`);
  return client;
};

const requestToken = async ({ tokenUrl }: StackInfo, client: Client): Promise<string> => {
  const response = await fetch(tokenUrl, {
    method: 'POST',
    // Token requests are far apart: the server may close an idle connection at the moment of its reuse.
    headers: { connection: 'close' },
    body: new URLSearchParams({
      grant_type: 'client_credentials',
      client_id: client.clientId,
      client_secret: client.clientSecret,
      scope: client.scopes.join(' '),
    }),
  });
  const { access_token: token } = (await response.json()) as { access_token?: string };
  if (token === undefined) throw new Error(`no token for ${client.clientId}: ${response.status}`);
  return token;
};

/** Returns an access token of one of the stack's clients, with all its scopes. */
export const tokenOf = async (clientId: string, from: StackInfo = stack()): Promise<string> => {
  const client = clientOf(from, clientId);
  // A stack may get the port of an earlier one of this process. The secret of its client is another one.
  const name = `${from.tokenUrl} ${clientId} ${client.clientSecret}`;
  const known = tokens.get(name);
  if (known !== undefined) return known;
  const token = requestToken(from, client);
  tokens.set(name, token);
  // A failure is not cached for the next caller.
  token.catch(() => tokens.delete(name));
  return token;
};

type Received = { readonly status: number; readonly headers: Headers; readonly text: string };

type Sent = {
  readonly method: string;
  readonly path: string;
  readonly headers: Record<string, string>;
  readonly body: string | undefined;
};

/** Sends a request to an API, whether over HTTP or in this process. */
export type Transport = (request: Sent) => Promise<Received>;

/** Returns a caller of an API. A POST gets a new Idempotency-Key unless `key` is set. */
export const apiOver = (transport: Transport, from: StackInfo = stack()) => {
  const send = async (method: string, path: string, body?: unknown, options: Options = {}): Promise<Answer> => {
    const { client = 'returns-admin', token = await tokenOf(client, from), key = randomUUID(), headers = {} } = options;
    const received = await transport({
      method,
      path,
      headers: {
        ...(token === null ? {} : { authorization: `Bearer ${token}` }),
        ...(body === undefined ? {} : { 'content-type': 'application/json' }),
        ...(method === 'POST' && key !== null ? { 'idempotency-key': key } : {}),
        ...headers,
      },
      body: body === undefined || typeof body === 'string' ? body : JSON.stringify(body),
    });
    const { status, text } = received;
    record('answer', `${JSON.stringify([...received.headers])} ${text}`);
    return { status, headers: received.headers, body: (text === '' ? undefined : JSON.parse(text)) as Body };
  };
  return {
    get: async (path: string, options?: Options) => send('GET', path, undefined, options),
    post: async (path: string, body?: unknown, options?: Options) => send('POST', path, body, options),
    patch: async (path: string, body?: unknown, options?: Options) => send('PATCH', path, body, options),
    put: async (path: string, body?: unknown, options?: Options) => send('PUT', path, body, options),
    delete: async (path: string, options?: Options) => send('DELETE', path, undefined, options),
  };
};

/** Returns a caller of the API of one mode, over HTTP. */
export const api = (mode: Mode, from: StackInfo = stack()) =>
  apiOver(async ({ method, path, headers, body }) => {
    const response = await fetch(`${from[mode].url}/v1${path}`, {
      method,
      headers,
      ...(body !== undefined && { body }),
    });
    return { status: response.status, headers: response.headers, text: await response.text() };
  }, from);

export type Api = ReturnType<typeof apiOver>;
