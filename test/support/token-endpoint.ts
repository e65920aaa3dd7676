import type { ServerOptions } from 'node:https';
import { plant } from './emitted/record.ts';
import { startServer, type Answer, type Received, type TestServer } from './http-server.ts';

/** A token endpoint that issues `token-1`, `token-2`, … to every client with an accepted secret. */
export type TokenEndpoint = AsyncDisposable & {
  readonly server: TestServer;
  /** Client secrets that it accepts. */
  readonly accepted: Set<string>;
  /** Responses to use instead, one request each. */
  readonly instead: Answer[];
  /** The response to every request, while set. */
  always: Answer | ((request: Received) => Promise<Answer | undefined>) | undefined;
  /** Fields of the next responses. */
  readonly fields: Record<string, unknown>;
};

const json = (status: number, body: unknown): Answer => ({ status, body: JSON.stringify(body) });

export const startTokenEndpoint = async (accepted: readonly string[], tls?: ServerOptions): Promise<TokenEndpoint> => {
  plant(accepted);
  let issued = 0;
  const server = await startServer(async (request) => {
    const { path, body } = request;
    const instead =
      endpoint.instead.shift() ??
      (await (typeof endpoint.always === 'function' ? endpoint.always(request) : endpoint.always));
    if (instead !== undefined) return instead;
    if (path !== '/connect/token') return json(404, {});
    if (!endpoint.accepted.has(new URLSearchParams(body).get('client_secret') ?? ''))
      return json(400, { error: 'invalid_client' });
    issued += 1;
    return json(200, { access_token: `token-${issued}`, token_type: 'Bearer', expires_in: 3600, ...endpoint.fields });
  }, tls);
  const endpoint: TokenEndpoint = {
    server,
    accepted: new Set(accepted),
    instead: [],
    always: undefined,
    fields: {},
    [Symbol.asyncDispose]: () => server[Symbol.asyncDispose](),
  };
  return endpoint;
};
