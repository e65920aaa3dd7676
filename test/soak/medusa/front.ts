import { createHash, randomBytes, timingSafeEqual } from 'node:crypto';
import { createServer, request as send, type IncomingMessage, type ServerResponse } from 'node:http';
import { text } from 'node:stream/consumers';
import { closeServer, listen } from '../../../lib/tools/local/ports.ts';

/*
 * Medusa has no client credentials, only secret API keys that may do everything. This front adds them: a token endpoint,
 * and a proxy that accepts its tokens and sends the API key. A token has the scopes of its client, and writes need
 * `returns:write`. It lets only the paths through that the adapter uses.
 */

export type FrontOptions = {
  readonly medusaUrl: string;
  /** A secret API key of Medusa (`sk_…`). */
  readonly apiKey: string;
  /** Clients by id. */
  readonly clients: Readonly<Record<string, { readonly secret: string; readonly scopes: readonly string[] }>>;
};

const lifetimeSeconds = 3_600;
/** The paths of the adapter. Medusa could change orders and reasons too. */
const allowed: Readonly<Record<string, RegExp>> = {
  GET: /^\/admin\/(?:returns(?:\/[\w-]+)?|return-reasons|orders\/[\w-]+(?:\/changes)?)$/,
  POST: /^\/admin\/returns(?:\/[\w-]+\/(?:request-items|request|receive|receive-items|receive\/confirm|cancel))?$/,
  DELETE: /^\/admin\/returns\/[\w-]+\/(?:request|receive)$/,
};

const digest = (value: string): Buffer => createHash('sha256').update(value).digest();

const answer = (response: ServerResponse, status: number, body: object): void => {
  response.writeHead(status, { 'content-type': 'application/json', 'cache-control': 'no-store' });
  response.end(JSON.stringify(body));
};

export const startFront = async ({ medusaUrl, apiKey, clients }: FrontOptions) => {
  const { host } = new URL(medusaUrl);
  const tokens = new Map<string, { readonly scopes: readonly string[]; readonly endsAt: number }>();

  const issueToken = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const form = new URLSearchParams(await text(request));
    const id = form.get('client_id') ?? '';
    const client = Object.hasOwn(clients, id) ? clients[id] : undefined;
    const isRight = timingSafeEqual(digest(form.get('client_secret') ?? ''), digest(client?.secret ?? ''));
    if (form.get('grant_type') !== 'client_credentials')
      return answer(response, 400, { error: 'unsupported_grant_type' });
    if (client === undefined || !isRight) return answer(response, 401, { error: 'invalid_client' });
    const asked = form.get('scope')?.split(' ') ?? client.scopes;
    const scopes = asked.filter((scope) => client.scopes.includes(scope));
    if (scopes.length < asked.length) return answer(response, 400, { error: 'invalid_scope' });
    const token = randomBytes(32).toString('base64url');
    tokens.set(token, { scopes, endsAt: Date.now() + lifetimeSeconds * 1_000 });
    const fields = { access_token: token, token_type: 'Bearer', expires_in: lifetimeSeconds, scope: scopes.join(' ') };
    answer(response, 200, fields);
  };

  const forward = (request: IncomingMessage, response: ServerResponse): void => {
    const token = tokens.get(/^Bearer (\S+)$/i.exec(request.headers.authorization ?? '')?.[1] ?? '');
    if (token === undefined || token.endsAt < Date.now()) return answer(response, 401, { message: 'Unauthorized' });
    const { method = '' } = request;
    const scope = method === 'GET' ? 'returns:read' : 'returns:write';
    if (!token.scopes.includes(scope)) return answer(response, 403, { message: `the token lacks ${scope}` });
    // The address that is called is the one that is checked: a step such as `..` changes it.
    const target = URL.parse(`${medusaUrl}${request.url}`);
    if (target?.host !== host || allowed[method]?.test(target.pathname) !== true)
      return answer(response, 404, { type: 'not_found', message: 'not offered' });
    const headers = { ...request.headers, authorization: `Basic ${apiKey}`, host };
    const upstream = send(target, { method, headers }, (reply) => {
      response.writeHead(reply.statusCode ?? 502, reply.headers);
      reply.pipe(response);
    });
    upstream.once('error', () => (response.headersSent ? response.destroy() : answer(response, 502, {})));
    request.pipe(upstream);
  };

  const server = createServer((request, response) => {
    if (request.method === 'POST' && request.url === '/connect/token') return void issueToken(request, response);
    forward(request, response);
  });
  const url = await listen(server, 0);
  return { url, close: () => closeServer(server) };
};
