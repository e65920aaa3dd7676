import { createServer, type IncomingMessage, type RequestListener, type ServerResponse } from 'node:http';
import { createServer as createTlsServer, type ServerOptions } from 'node:https';
import { text } from 'node:stream/consumers';
import { parseObject } from '../../../runtime/json.ts';
import { bearerToken, scopesIn, tokenVerifier } from '../emulators/gateway/authorizer.ts';
import type { ServiceCalled } from '../events.ts';
import { closeServer, listen } from '../ports.ts';
import { erro } from './bodies.ts';
import { ErroDeNegocio, openBooks } from './books.ts';
import { answer, type ForeignAnswer } from './routes.ts';

/*
 * Devoluções, an example of a Returns Service that another team built: in Portuguese, with its own paths, states, errors
 * and times. It has nothing of this repository but the check of tokens.
 */

export type DevolucoesOptions = {
  /** 0 selects any free port. */
  readonly port: number;
  /** The issuer of the tokens that it accepts, and their audience. */
  readonly issuer: string;
  readonly audience: string;
  /**
   * The certificate of the server, and the authority of its clients' certificates. Each client must have one then.
   * @default no TLS
   */
  readonly tls?: ServerOptions;
  /**
   * The milliseconds after which a receipt is carried out.
   * @default 300
   */
  readonly processingMs?: () => number;
  /** @default the clock of this machine */
  readonly now?: () => number;
  /** Receives each request with its status, after the answer. */
  readonly onCall?: (call: Omit<ServiceCalled, 'type'>) => void;
};

/** The path of the service. */
const basePath = '/api/v2';

const rejected = (status: number, codigo: string, mensagem: string): ForeignAnswer => ({
  status,
  body: erro(new ErroDeNegocio(codigo, mensagem)),
});

const scopeOf = ({ method }: IncomingMessage): string => (method === 'GET' ? 'returns:read' : 'returns:write');

const write = (response: ServerResponse, { status, body }: ForeignAnswer): void => {
  response.writeHead(status, { 'content-type': 'application/json; charset=utf-8' }).end(JSON.stringify(body));
};

/** Starts the service, without any return. */
export const startDevolucoes = async (options: DevolucoesOptions) => {
  const { port, issuer, audience, tls, processingMs = () => 300, now = Date.now, onCall } = options;
  const books = openBooks({ now, processingMs });
  const verified = tokenVerifier({ issuer, audience: [audience] });

  /** Returns the answer to a request without the right token. */
  const accessError = async (request: IncomingMessage): Promise<ForeignAnswer | undefined> => {
    const claims = await verified(bearerToken(request.headers.authorization));
    if (typeof claims === 'string') return rejected(401, 'TOKEN_INVALIDO', 'O token é inválido.');
    if (scopesIn(claims).includes(scopeOf(request))) return undefined;
    return rejected(403, 'ESCOPO_INSUFICIENTE', `O token não tem o escopo ${scopeOf(request)}.`);
  };

  const respond = async (request: IncomingMessage, url: URL): Promise<ForeignAnswer> => {
    const content = await text(request);
    const failure = await accessError(request);
    if (failure !== undefined) return failure;
    if (!url.pathname.startsWith(`${basePath}/`)) return rejected(404, 'NAO_ENCONTRADO', 'Não há nada aqui.');
    const body = content === '' ? {} : parseObject(content);
    if (body === undefined) return rejected(400, 'CAMPO_INVALIDO', 'O corpo não é JSON.');
    const { 'chave-idempotencia': key } = request.headers;
    return answer(
      {
        method: request.method ?? '',
        path: decodeURIComponent(url.pathname.slice(basePath.length)),
        query: url.searchParams,
        body,
        key: typeof key === 'string' ? key : undefined,
      },
      books,
    );
  };

  const serve = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const at = Date.now();
    const url = new URL(request.url ?? '', 'http://devolucoes.invalid');
    const answered = await respond(request, url);
    onCall?.({ method: request.method ?? '', path: url.pathname, status: answered.status, at, ms: Date.now() - at });
    write(response, answered);
  };
  const listener: RequestListener = (request, response) => {
    serve(request, response).catch((error: unknown) => {
      console.error(error);
      write(response, rejected(500, 'ERRO_INTERNO', 'Tente mais tarde.'));
    });
  };
  const server =
    tls === undefined
      ? createServer(listener)
      : createTlsServer({ ...tls, requestCert: true, rejectUnauthorized: true }, listener);
  const origin = await listen(server, port);
  return {
    path: basePath,
    url: tls === undefined ? origin : origin.replace('http:', 'https:'),
    /** The state of the service, which a test compares with what it expects. */
    books,
    close: async (): Promise<void> => closeServer(server),
  };
};

export type Devolucoes = Awaited<ReturnType<typeof startDevolucoes>>;
