import type { Operation } from '../contract/operation.ts';
import { errorName, log } from '../runtime/log.ts';
import { monotonicNow } from '../runtime/trace-context.ts';

/** How a request ended, by whichever door it came. */
type RequestOutcome = {
  /** Missing when it never became known. */
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

/** One line for each request, however it ended: what was asked, by whom, and what became of it. */
export const logRequest = (operation: Operation, ending: RequestOutcome): void =>
  log('info', 'answered', {
    operation: operation.name,
    clientId: ending.clientId,
    network: ending.network,
    status: ending.status,
    code: ending.code,
    traceId: ending.traceId,
    trigger: ending.trigger,
    ms: Math.round(monotonicNow() - ending.startedAt),
  });

/** Frames of a stack without its message, which could hold anything, lines that look like frames among it. */
const frames = ({ stack = '' }: Error) =>
  stack
    .split('\n')
    .filter((line) => /^ {4}at (?:[\w.<>$ ]{1,80} \()?(?:file:|node:|\/)[\w/.:@-]{1,200}:\d+:\d+\)?$/.test(line))
    .slice(0, 8)
    .join(' <');

/** What nobody expected: its place, and nothing of what it says. */
export const logUnexpectedError = (operation: Operation, traceId: string, error: unknown): void =>
  log('error', 'unexpected error', {
    operation: operation.name,
    traceId,
    error: errorName(error),
    frames: error instanceof Error ? frames(error) : undefined,
  });
