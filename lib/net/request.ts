import { request, type Dispatcher } from 'undici';
import type { Agent } from './agent.ts';
import { isTimedOut } from './deadline.ts';
import { TransportError, type TransportReason } from './transport-error.ts';

export type Outgoing = {
  readonly agent: Agent;
  readonly method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: string;
  readonly signal: AbortSignal;
  /** The largest answer that is read. */
  readonly maxBytes: number;
};

export type Incoming = {
  readonly status: number;
  /** Names in lower case; a header that came several times is joined by commas. */
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Buffer;
};

const notConnected =
  /^(ECONNREFUSED|ENOTFOUND|EAI_|EHOSTUNREACH|ENETUNREACH|UND_ERR_CONNECT_TIMEOUT|CERT_|UNABLE_TO_|SELF_SIGNED_|DEPTH_ZERO_|ERR_TLS_|ERR_SSL_)/;

const codeOf = (error: unknown): string | undefined => {
  const code: unknown = error instanceof Error && 'code' in error ? error.code : undefined;
  return typeof code === 'string' && /^[A-Z0-9_]{1,64}$/.test(code) ? code : undefined;
};

/** What undici threw, reduced to what may be told. */
const transportError = (error: unknown, signal: AbortSignal, status: number | undefined): Error => {
  if (error instanceof TransportError) return error;
  if (signal.aborted) return new TransportError(isTimedOut(signal) ? 'timeout' : 'aborted', { status });
  const code = codeOf(error);
  // undici refuses what it cannot send, such as a header with a line break: our mistake, not the network's.
  if (code === 'UND_ERR_INVALID_ARG') return new TypeError('the request cannot be sent as it is');
  const reason: TransportReason = code !== undefined && notConnected.test(code) ? 'connect' : 'reset';
  return new TransportError(reason, { code, status });
};

const readBody = async (body: AsyncIterable<Buffer>, status: number, maxBytes: number): Promise<Buffer> => {
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of body) {
    size += chunk.length;
    if (size > maxBytes) throw new TransportError('too_large', { status });
    chunks.push(chunk);
  }
  return Buffer.concat(chunks, size);
};

const plainHeaders = (headers: Dispatcher.ResponseData['headers']): Record<string, string> =>
  Object.fromEntries(
    Object.entries(headers).flatMap(([name, value]) =>
      value === undefined ? [] : [[name, Array.isArray(value) ? value.join(', ') : value]],
    ),
  );

/**
 * One HTTP exchange: redirects are not followed, the answer is bounded, and the signal is its only time limit.
 *
 * @throws {TransportError} when there is no whole answer
 */
export const send = async ({ agent, method, url, headers, body, signal, maxBytes }: Outgoing): Promise<Incoming> => {
  if (signal.aborted) throw new TransportError(isTimedOut(signal) ? 'timeout' : 'aborted');
  let status: number | undefined;
  try {
    return await agent.run(async (dispatcher) => {
      const answer = await request(url, { dispatcher, method, headers, signal, body: body ?? null });
      status = answer.statusCode;
      return { status, headers: plainHeaders(answer.headers), body: await readBody(answer.body, status, maxBytes) };
    });
  } catch (error) {
    throw transportError(error, signal, status);
  }
};
