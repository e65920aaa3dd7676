import type { Operation } from '../../contract/operation.ts';
import { requestMetricsConfig } from '../../runtime/configuration/config.ts';
import { configured } from '../../runtime/container.ts';
import { errorName, log } from '../../runtime/log.ts';
import { countMetric, operationDimensions, writeMetrics } from '../../runtime/metrics.ts';
import { monotonicNow } from '../../runtime/instant.ts';

/** The outcome of a request, for both entry points. */
type RequestOutcome = {
  /** Missing when it is unknown. */
  readonly clientId: string | undefined;
  /** The id of the signed-in user. Missing for a client. */
  readonly userId?: string | undefined;
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

const config = configured(requestMetricsConfig);

/** Counts a request, and its error by class. Zeros are counted too, so that an average is a rate. */
const countRequest = ({ name }: Pick<Operation, 'name'>, status: number, ms: number): void =>
  writeMetrics(
    [
      countMetric('Requests', 1),
      countMetric('ClientErrors', status >= 400 && status < 500 ? 1 : 0),
      countMetric('ServerErrors', status >= 500 ? 1 : 0),
      { name: 'Latency', unit: 'Milliseconds', values: [ms] },
    ],
    operationDimensions(name),
  );

/** Logs one line for each request: operation, client and outcome. The standalone mode writes its metrics too. */
export const logRequest = (operation: Pick<Operation, 'name'>, ending: RequestOutcome): void => {
  const ms = Math.round(monotonicNow() - ending.startedAt);
  log('info', 'request answered', {
    operation: operation.name,
    clientId: ending.clientId,
    userId: ending.userId,
    network: ending.network,
    status: ending.status,
    code: ending.code,
    traceId: ending.traceId,
    trigger: ending.trigger,
    ms,
  });
  if (config().countsRequests) countRequest(operation, ending.status, ms);
};

/** The frames of a stack without its message, which may hold secrets or lines that look like frames. */
const frames = ({ stack = '' }: Error) =>
  stack
    .split('\n')
    .filter((line) => /^ {4}at (?:[\w.<>$ ]{1,80} \()?(?:file:|node:|\/)[\w/.:@-]{1,200}:\d+:\d+\)?$/.test(line))
    .slice(0, 8)
    .join(' <');

/** Logs an unexpected error: its name and frames, never its message. */
export const logUnexpectedError = (operation: Pick<Operation, 'name'>, traceId: string, error: unknown): void =>
  log('error', 'request failed', {
    operation: operation.name,
    traceId,
    error: errorName(error),
    frames: error instanceof Error ? frames(error) : undefined,
  });
