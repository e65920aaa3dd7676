import type { Operation } from '../contract/operation.ts';
import { errorName, log } from '../runtime/log.ts';
import { monotonicNow } from '../runtime/trace-context.ts';

/** The outcome of a request, for both entry points. */
type RequestOutcome = {
  /** Missing when it is unknown. */
  readonly clientId: string | undefined;
  readonly status: number;
  readonly code: string | undefined;
  readonly traceId: string;
  /** By the monotonic clock, in milliseconds. */
  readonly startedAt: number;
  /** Where the request came from, not as an address but as its network. Missing for a direct invocation. */
  readonly network?: string | undefined;
  /** Missing for HTTP. */
  readonly trigger?: 'direct';
};

/** Logs one line for each request: operation, client and outcome. */
export const logRequest = (operation: Operation, ending: RequestOutcome): void =>
  log('info', 'request answered', {
    operation: operation.name,
    clientId: ending.clientId,
    network: ending.network,
    status: ending.status,
    code: ending.code,
    traceId: ending.traceId,
    trigger: ending.trigger,
    ms: Math.round(monotonicNow() - ending.startedAt),
  });

/** The frames of a stack without its message, which may hold secrets or lines that look like frames. */
const frames = ({ stack = '' }: Error) =>
  stack
    .split('\n')
    .filter((line) => /^ {4}at (?:[\w.<>$ ]{1,80} \()?(?:file:|node:|\/)[\w/.:@-]{1,200}:\d+:\d+\)?$/.test(line))
    .slice(0, 8)
    .join(' <');

/** Logs an unexpected error: its name and frames, never its message. */
export const logUnexpectedError = (operation: Operation, traceId: string, error: unknown): void =>
  log('error', 'request failed', {
    operation: operation.name,
    traceId,
    error: errorName(error),
    frames: error instanceof Error ? frames(error) : undefined,
  });
