import { createServer, type IncomingHttpHeaders, type IncomingMessage, type ServerResponse } from 'node:http';
import { text } from 'node:stream/consumers';
import { isDeepStrictEqual } from 'node:util';
import { parseJson } from '../../runtime/json.ts';
import type { ServiceAccess, TokenField } from '../../runtime/service-access.ts';
import { closeServer, listen } from '../local/ports.ts';
import type { ExpectedRequest, RecordedExchange } from './recording.ts';

/*
 * A Returns Service on this machine that answers with recorded exchanges, and its token endpoint. It accepts the
 * requests of one case in their order, and no others.
 */

/** A request that arrived. */
export type SentRequest = {
  readonly method: string;
  readonly path: string;
  readonly query: Readonly<Record<string, string | readonly string[]>>;
  readonly headers: IncomingHttpHeaders;
  /** Undefined for a request without a body. */
  readonly body: unknown;
};

/** What is left of the exchanges of a case, and what did not fit. */
export type Replay = {
  readonly exchanges: readonly RecordedExchange[];
  next: number;
  readonly sent: SentRequest[];
  readonly differences: string[];
};

export type ReplayServer = {
  /** The address of the service. */
  readonly serviceUrl: string;
  /** The address of the identity provider. */
  readonly authUrl: string;
  /** Begins a case. */
  readonly replay: (exchanges: readonly RecordedExchange[]) => Replay;
  readonly close: () => Promise<void>;
};

/** Returns the parameters of a query; a list for a repeated one. */
export const queryOf = (parameters: URLSearchParams): SentRequest['query'] =>
  Object.fromEntries(
    [...new Set(parameters.keys())].map((name) => {
      const values = parameters.getAll(name);
      return [name, values.length === 1 ? (values[0] ?? '') : values];
    }),
  );

/** Returns a request as text. Parameters of the query have no order. */
const shown = ({ method, path, query = {} }: Pick<ExpectedRequest, 'path' | 'query'> & { readonly method: string }) => {
  const parameters = new URLSearchParams();
  for (const [name, values] of Object.entries(query))
    for (const value of [values].flat()) parameters.append(name, value);
  parameters.sort();
  return `${method} ${path}${parameters.size === 0 ? '' : `?${parameters.toString()}`}`;
};

/** Returns the difference between a request and the expected one; undefined without one. */
const differenceOf = (sent: SentRequest, expected: ExpectedRequest): string | undefined => {
  if (shown(sent) !== shown(expected)) return `sent ${shown(sent)} instead of ${shown(expected)}`;
  if (!isDeepStrictEqual(sent.body, expected.body))
    return `${shown(sent)}: sent the body ${JSON.stringify(sent.body)} instead of ${JSON.stringify(expected.body)}`;
  const header = Object.entries(expected.headers ?? {}).find(([name, value]) => sent.headers[name] !== value);
  return (
    header && `${shown(sent)}: sent ${header[0]} ${String(sent.headers[header[0]] ?? 'absent')} instead of ${header[1]}`
  );
};

/** Returns the exchange that a request belongs to: the next one, or the last one again. */
const exchangeFor = (replay: Replay, sent: SentRequest): RecordedExchange | undefined => {
  const { exchanges, next, differences } = replay;
  const last = exchanges[next - 1];
  if (last?.again === true && differenceOf(sent, last.request) === undefined) return last;
  const expected = exchanges[next];
  const difference =
    expected === undefined
      ? `sent ${shown(sent)}, and no further request was expected`
      : differenceOf(sent, expected.request);
  if (difference !== undefined) {
    differences.push(difference);
    return undefined;
  }
  replay.next += 1;
  return expected;
};

const sendJson = (response: ServerResponse, status: number, body: unknown): void => {
  response.writeHead(status, { 'content-type': 'application/json' });
  response.end(body === undefined ? undefined : JSON.stringify(body));
};

const tokenResponse = ({ tokenFields, tokenScheme }: ServiceAccess, token: string) => {
  const fields: Readonly<Partial<Record<TokenField, string | number>>> = {
    access_token: token,
    token_type: tokenScheme || 'Bearer',
    expires_in: 3_600,
  };
  return Object.fromEntries(
    Object.entries(fields).map(([name, value]) => [tokenFields[name as TokenField] ?? name, value]),
  );
};

/** @param token what the token endpoint issues */
export const startReplayServer = async (access: ServiceAccess, token: string): Promise<ReplayServer> => {
  let current: Replay | undefined;
  const answer = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const { pathname, searchParams } = new URL(request.url ?? '/', 'http://localhost');
    const content = await text(request);
    if (pathname === `/identity${access.tokenPath}`) return sendJson(response, 200, tokenResponse(access, token));
    const sent: SentRequest = {
      method: request.method ?? '',
      path: pathname.slice(`/service${access.servicePath}`.length),
      query: queryOf(searchParams),
      headers: request.headers,
      body: content === '' ? undefined : parseJson(content),
    };
    current?.sent.push(sent);
    const exchange = current && exchangeFor(current, sent);
    // A status that is not repeated.
    if (exchange === undefined) return sendJson(response, 400, {});
    if (exchange.answer === 'lost') return void request.socket.destroy();
    sendJson(response, exchange.answer.status, exchange.answer.body);
  };
  const server = createServer((request, response) => void answer(request, response));
  const url = await listen(server, 0);
  return {
    serviceUrl: `${url}/service`,
    authUrl: `${url}/identity`,
    replay: (exchanges) => (current = { exchanges, next: 0, sent: [], differences: [] }),
    close: () => closeServer(server),
  };
};
