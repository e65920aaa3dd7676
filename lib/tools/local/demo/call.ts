import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { retryAfterMs } from '../../../access/net/retry-after.ts';
import { parseObject } from '../../../runtime/json.ts';
import type { Wait } from '../waits.ts';

export type Answered = { readonly status: number; readonly text: string };

/** The pause before a repeat, when no Retry-After says another one. */
const pauseMs = 1_000;

/** Returns the error code of a problem; undefined for any other text. */
export const codeIn = ({ text }: Answered): unknown => parseObject(text)?.['code'];

const maxLength = 200;

/** Returns an answer as one short line: status, code and detail of a problem, or the beginning of its text. */
export const shortly = ({ status, text }: Answered): string => {
  const { code, detail } = parseObject(text) ?? {};
  const line = (typeof detail === 'string' ? `${String(code)}: ${detail}` : text).replaceAll(/\s+/g, ' ').trim();
  return `answered ${status}, ${line.length > maxLength ? `${line.slice(0, maxLength)}…` : line}`;
};

/** @throws {Error} with an answer other than a success, in one short line */
export const assertSuccess = (answered: Answered): void => {
  if (answered.status >= 300) throw new Error(shortly(answered));
};

/** Returns the content of a success, like `assertSuccess`. */
export const contentOf = (answered: Answered): unknown => {
  assertSuccess(answered);
  return JSON.parse(answered.text);
};

/** Whether the same request can succeed later, as the guide failures.md says. */
const isLater = (answered: Answered): boolean =>
  [429, 503, 504].includes(answered.status) || codeIn(answered) === 'idempotency_key_in_progress';

/** Returns the message of an error, and that of its cause: `fetch` hides the code of the network there. */
export const messageOf = (error: unknown): string => {
  const { message, cause } = error instanceof Error ? error : { message: String(error), cause: undefined };
  return cause instanceof Error ? `${message}, ${cause.message}` : message;
};

/**
 * Sends a request, and repeats it unchanged until it gets an answer other than `try later`. A request that stores
 * something needs an idempotency key for that.
 */
export const call = async (url: string, request: RequestInit, wait: Wait): Promise<Answered> => {
  const { signal } = wait;
  for (;;) {
    let pause = pauseMs;
    try {
      const response = await fetch(url, { ...request, signal });
      const answered = { status: response.status, text: await response.text() };
      if (!isLater(answered)) {
        wait.progress();
        return answered;
      }
      pause = retryAfterMs(response.headers.get('retry-after') ?? undefined, Date.now()) ?? pauseMs;
      wait.note(shortly(answered));
    } catch (error) {
      signal.throwIfAborted();
      wait.note(messageOf(error));
    }
    await sleep(pause, undefined, { signal });
  }
};

/** A request of the API. */
export type ApiRequest = {
  readonly method: 'DELETE' | 'GET' | 'PATCH' | 'POST' | 'PUT';
  readonly path: string;
  readonly body?: object;
  /** The version that a patch changes. */
  readonly version?: number;
  /** The idempotency key. @default a new one */
  readonly key?: string;
};

/** Sends a request to an API with a token, like `call`. */
export const callApi = async (
  { url, token }: { readonly url: string; readonly token: string },
  { method, path, body, version, key = randomUUID() }: ApiRequest,
  wait: Wait,
): Promise<Answered> => {
  const headers = {
    authorization: `Bearer ${token}`,
    'content-type': 'application/json',
    'idempotency-key': key,
    ...(version !== undefined && { 'if-match': `"${version}"` }),
  };
  return call(`${url}/v1${path}`, { method, headers, ...(body && { body: JSON.stringify(body) }) }, wait);
};
