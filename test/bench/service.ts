import { createServer, type RequestListener } from 'node:http';
import { text } from 'node:stream/consumers';
import { basePath } from '../../lib/contract/operation.ts';
import { listen } from '../../lib/local/ports.ts';

/** What the Returns Service answers, whatever it is asked: bodies as JSON. */
export type FixedAnswers = { readonly getReturn: string; readonly createReturn: string };

export const credentials = { clientId: 'bench', clientSecret: 'bench-secret' };

/** As long as a signed token with a few claims is. */
const accessToken = `bench.${'t'.repeat(900)}`;

/** Longer than a candidate waits for its turn: a connection that closes meanwhile would be opened again in a round. */
const keepAlive = 120_000;

type Listener = (...[request, response]: Parameters<RequestListener>) => void | Promise<void>;

const serve = async (listener: Listener) => {
  const server = createServer({ keepAliveTimeout: keepAlive }, (request, response) => void listener(request, response));
  const origin = await listen(server, 0);
  const close = async () => {
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
  };
  return { origin, close };
};

const json = { 'content-type': 'application/json', 'cache-control': 'no-store' };

const issue = (path: string | undefined, form: URLSearchParams) => {
  const known = form.get('client_secret') === credentials.clientSecret && path === '/connect/token';
  return known
    ? {
        status: 200,
        body: { access_token: accessToken, token_type: 'Bearer', expires_in: 3600, scope: form.get('scope') },
      }
    : { status: 401, body: { error: 'invalid_client' } };
};

/** A token endpoint (RFC 6749, 4.4) that knows one client, by the secret in the body. */
export const startTokenEndpoint = () =>
  serve(async (request, response) => {
    const { status, body } = issue(request.url, new URLSearchParams(await text(request)));
    response.writeHead(status, json).end(JSON.stringify(body));
  });

/**
 * A Returns Service that does no work: it reads the request and answers the same each time. Who shows a token must show
 * the one that the token endpoint issued.
 */
export const startService = (answers: () => FixedAnswers) =>
  serve((request, response) => {
    const { method, url = '', headers } = request;
    request.resume().once('end', () => {
      const allowed = headers.authorization === undefined || headers.authorization === `Bearer ${accessToken}`;
      const creates = method === 'POST' && url === `${basePath}/returns`;
      const reads = method === 'GET' && url.startsWith(`${basePath}/returns/`);
      const status = !allowed ? 401 : creates ? 201 : reads ? 200 : 404;
      const body = creates ? answers().createReturn : answers().getReturn;
      response.writeHead(status, { ...json, etag: '"1"' }).end(status < 400 ? body : '{}');
    });
  });
