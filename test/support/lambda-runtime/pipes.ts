/* Between a test and the addon in the runtime's process: a line of JSON for each event, and for all that is said of it. */

/** From the process: its answers, and what is left of them. */
export const saidFd = 3;

/** To the process: events. */
export const eventsFd = 4;

/** How an invocation ended; `body` is JSON. */
export type Answered = {
  readonly requestId: string;
  readonly kind: 'response' | 'error';
  readonly body: string;
};
