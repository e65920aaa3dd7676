/*
 * The pipes between a test and the addon in the runtime's process: a line of JSON for each event, and for each report.
 */

/** From the process: its responses and leftovers. */
export const saidFd = 3;

/** To the process: events. */
export const eventsFd = 4;

/** The end of an invocation. `body` is JSON. */
export type Answered = {
  readonly requestId: string;
  readonly kind: 'response' | 'error';
  readonly body: string;
};
