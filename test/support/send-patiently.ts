import { setTimeout as sleep } from 'node:timers/promises';

/*
 * A busy machine is slower than the limits of deployed functions and of connections. A test sends such a request again,
 * as a shop and a caller do.
 */

/** The statuses of a service or a gateway without time. A status that persists is a failure. */
const temporary: ReadonlySet<number> = new Set([503, 504]);
const maxSends = 5;
const pauseMs = 100;

const closedCodes: ReadonlySet<unknown> = new Set(['EPIPE', 'ECONNRESET', 'UND_ERR_SOCKET']);

/**
 * Whether the server closed the connection. It does so after a request that is too large, or that waited too long. Node
 * reports EPIPE or ECONNRESET when the rest of the request was still being written; fetch hides the cause.
 */
const isClosed = (error: unknown): boolean =>
  error instanceof Error && (('code' in error && closedCodes.has(error.code)) || isClosed(error.cause));

/**
 * Sends a request, and sends it again after a temporary status or a closed connection. A repeated request must have the
 * same key or the same content.
 *
 * @returns the first other answer, or the last one
 * @throws the error of the last request
 */
export const sendPatiently = async <Answer extends { readonly status: number }>(
  send: () => Promise<Answer>,
): Promise<Answer> => {
  for (let count = 1; ; count += 1) {
    const isLast = count === maxSends;
    const answer = await send().catch((error: unknown) => {
      if (isClosed(error) && !isLast) return undefined;
      throw error;
    });
    if (answer !== undefined && (!temporary.has(answer.status) || isLast)) return answer;
    await sleep(pauseMs * count);
  }
};
