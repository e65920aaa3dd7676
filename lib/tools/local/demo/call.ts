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
export const shortly = (answered: Answered): string => {
  const { code, detail } = parseObject(answered.text) ?? {};
  const text = typeof detail === 'string' ? `${String(code)}: ${detail}` : answered.text;
  const line = text.replaceAll(/\s+/g, ' ').trim();
  return `answered ${answered.status}, ${line.length > maxLength ? `${line.slice(0, maxLength)}…` : line}`;
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

/**
 * Sends a request, like `call`, and returns the text of its success.
 *
 * @throws {Error} with any other answer in one short line
 */
export const callForText = async (url: string, request: RequestInit, wait: Wait): Promise<string> => {
  const answered = await call(url, request, wait);
  if (answered.status >= 300) throw new Error(shortly(answered));
  return answered.text;
};
