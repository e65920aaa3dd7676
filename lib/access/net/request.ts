import type { Dispatcher } from 'undici';
import { splitAddress } from '../../runtime/address.ts';
import type { Agent } from './agent.ts';
import { isTimedOut } from './deadline.ts';
import { TransportError, type TransportReason } from './transport-error.ts';

export type Outgoing = {
  readonly agent: Agent;
  readonly method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: string;
  /** The time limit of the exchange in milliseconds. @default only the signal limits it */
  readonly timeoutMs?: number;
  /** Aborts the exchange. */
  readonly signal?: AbortSignal | undefined;
  /** The maximum size of a response. */
  readonly maxBytes: number;
  /**
   * Returns the received part of a response that is too large, breaks off or exceeds the time. It must have a status.
   */
  readonly cut?: true;
};

export type Incoming = {
  readonly status: number;
  /** Names in lower case; repeated headers are joined by commas. */
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Buffer;
};

type Controller = Dispatcher.DispatchController;
type IncomingHeaders = Parameters<NonNullable<Dispatcher.DispatchHandler['onResponseStart']>>[2];

const notConnected =
  /^(ADDRESS_FORBIDDEN|ECONNREFUSED|ENOTFOUND|EAI_|EHOSTUNREACH|ENETUNREACH|UND_ERR_CONNECT_TIMEOUT|CERT_|UNABLE_TO_|SELF_SIGNED_|DEPTH_ZERO_|ERR_TLS_|ERR_SSL_)/;

const codeOf = (error: Error): string | undefined => {
  const code: unknown = 'code' in error ? error.code : undefined;
  // Some codes of OpenSSL contain a slash: ERR_SSL_SSL/TLS_ALERT_BAD_CERTIFICATE.
  return typeof code === 'string' && /^[A-Z0-9_/]{1,64}$/.test(code) ? code : undefined;
};

/** Reduces an error of undici to the fields without secrets. */
const transportError = (error: Error, status: number | undefined): Error => {
  const code = codeOf(error);
  // undici rejects an invalid request, such as a header with a line break: a defect of the caller, not a network
  // failure.
  if (code === 'UND_ERR_INVALID_ARG') return new TypeError('the request cannot be sent as it is');
  const reason: TransportReason = code !== undefined && notConnected.test(code) ? 'connect' : 'reset';
  return new TransportError(reason, { code, status });
};

/** Returns why an exchange ends or does not begin. */
const endOf = (signal: AbortSignal): TransportReason => (isTimedOut(signal) ? 'timeout' : 'aborted');

/** Chunks of one byte would take a hundred times the memory of the response. */
const maxLoose = 1_024;

const ignore = () => undefined;

const joined = (headers: IncomingHeaders): Record<string, string> => {
  for (const name in headers) {
    const value = headers[name];
    if (Array.isArray(value)) headers[name] = value.join(', ');
  }
  return headers as Record<string, string>;
};

/**
 * One exchange with undici. It uses `dispatch` directly: the stream, the promises and the signal of `undici.request`
 * cost a fifth of a call.
 */
class Exchange implements Dispatcher.DispatchHandler {
  readonly #outgoing: Outgoing;
  readonly #resolve: (answer: Incoming) => void;
  readonly #reject: (error: Error) => void;
  #cancelTimeout: () => void = ignore;
  #lent: ReturnType<Agent['lend']> | undefined;
  #controller: Controller | undefined;
  #isDone = false;
  #status: number | undefined;
  #headers: Record<string, string> = {};
  readonly #chunks: Buffer[] = [];
  /** The number of leading chunks that were merged from many. */
  #packed = 0;
  #size = 0;

  constructor(outgoing: Outgoing, resolve: (answer: Incoming) => void, reject: (error: Error) => void) {
    this.#outgoing = outgoing;
    this.#resolve = resolve;
    this.#reject = reject;
  }

  begin(): void {
    const { agent, url, method, headers, body, timeoutMs, signal } = this.#outgoing;
    const { origin, path } = splitAddress(url);
    this.#lent = agent.lend(origin);
    signal?.addEventListener('abort', this);
    if (timeoutMs !== undefined) this.#cancelTimeout = agent.clock.after(timeoutMs, () => this.#end('timeout'));
    this.#lent.pool.dispatch({ path, method, headers, body: body ?? null }, this);
  }

  /** Handles the event of the signal. */
  handleEvent({ target }: Event): void {
    this.#end(endOf(target as AbortSignal));
  }

  onRequestStart(controller: Controller): void {
    this.#controller = controller;
    if (this.#isDone) controller.abort(new TransportError('aborted'));
  }

  onResponseStart(_: Controller, status: number, headers: IncomingHeaders): void {
    if (status < 200) return;
    this.#status = status;
    this.#headers = joined(headers);
  }

  onResponseData(_: Controller, chunk: Buffer): void {
    this.#size += chunk.length;
    const over = this.#size - this.#outgoing.maxBytes;
    if (over > 0) {
      if (this.#outgoing.cut === true) this.#chunks.push(chunk.subarray(0, chunk.length - over));
      this.#end('too_large');
    } else if (this.#chunks.push(chunk) - this.#packed === maxLoose) this.#pack();
  }

  #pack(): void {
    const loose = this.#chunks.splice(this.#packed);
    this.#packed = this.#chunks.push(Buffer.concat(loose));
  }

  onResponseEnd(): void {
    if (this.#finish()) this.#resolve(this.#answer());
  }

  #answer(): Incoming {
    const [first = Buffer.alloc(0), ...others] = this.#chunks;
    const body = others.length === 0 ? first : Buffer.concat(this.#chunks);
    return { status: this.#status ?? 0, headers: this.#headers, body };
  }

  onResponseError(_: Controller, error: Error): void {
    this.#fail(transportError(error, this.#status));
  }

  #end(reason: TransportReason): void {
    this.#fail(new TransportError(reason, { status: this.#status }));
  }

  #fail(error: Error): void {
    if (!this.#finish()) return;
    this.#controller?.abort(error);
    if (this.#outgoing.cut === true && this.#status !== undefined) this.#resolve(this.#answer());
    else this.#reject(error);
  }

  #finish(): boolean {
    if (this.#isDone) return false;
    this.#isDone = true;
    const { agent, signal } = this.#outgoing;
    this.#cancelTimeout();
    signal?.removeEventListener('abort', this);
    if (this.#lent !== undefined) agent.giveBack(this.#lent);
    return true;
  }
}

/**
 * Performs one HTTP exchange at an absolute URL, with limits for time and response size. It does not follow redirects.
 * Rejects with a `TransportError` when there is no complete response.
 */
export const send = (outgoing: Outgoing): Promise<Incoming> =>
  new Promise((resolve, reject) => {
    const { timeoutMs, signal } = outgoing;
    if (signal?.aborted === true) throw new TransportError(endOf(signal));
    if (timeoutMs !== undefined && timeoutMs <= 0) throw new TransportError('timeout');
    new Exchange(outgoing, resolve, reject).begin();
  });
