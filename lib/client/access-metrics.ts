import type { AccessEvent, OnAccessEvent } from '../oauth/access-event.ts';
import { notFound } from '../secrets/secret.ts';
import { minDaysLeft } from './access-event-log.ts';
import { metricLine, maxValues, type Metric } from './metric-line.ts';

export type AccessMetricsOptions = {
  /** `<service>-<stage>-<function>`, as it is deployed. */
  readonly functionName: string;
  /** Epoch milliseconds. */
  readonly now: () => number;
  readonly write: (line: string) => void;
};

export type AccessMetrics = {
  readonly onDecision: OnAccessEvent;
  /** Writes what is not to be held any longer. Belongs to the end of a call of the service. */
  readonly settle: () => void;
};

type GatheredMetric = Omit<Metric, 'name' | 'values'> & { readonly values: number[] };
type Context = AccessMetricsOptions & {
  readonly gathered: Map<string, GatheredMetric>;
  /** Which metric, and why: in the log beside the metrics. As a dimension each would be a metric of its own. */
  readonly reasons: Set<string>;
  /** Something happened besides a token being given out. */
  noteworthy: boolean;
  writtenAt: number;
};

const namespace = 'Returns';
/**
 * A warm call decides only that a token is served: that is held this long and written in one line. A container that ends
 * before takes at most one minute of it along, and no other decision.
 */
const maxHold = 60_000;

const writeMetrics = (context: Context): void => {
  const { gathered, reasons, functionName, now } = context;
  const at = now();
  const line = metricLine({
    namespace,
    // Whoever watches an alarm wants all functions in one; whoever looks for the place, each by itself.
    dimensions: { Deployment: functionName.replace(/-[^-]*$/, ''), FunctionName: functionName },
    metrics: Array.from(gathered, ([name, metric]) => ({ name, ...metric })),
    properties: reasons.size === 0 ? {} : { reasons: [...reasons] },
    at,
  });
  gathered.clear();
  reasons.clear();
  context.noteworthy = false;
  context.writtenAt = at;
  context.write(line);
};

const addValue = (context: Context, name: string, value: number, unit: Metric['unit'] = 'Milliseconds'): void => {
  const { gathered } = context;
  const metric = gathered.get(name);
  if (metric === undefined) return void gathered.set(name, { unit, values: [value] });
  if (unit === 'Count') metric.values[0] = (metric.values[0] ?? 0) + value;
  else if (metric.values.push(value) === maxValues) writeMetrics(context);
};

const addCount = (context: Context, name: string, reason?: string): void => {
  if (reason !== undefined) context.reasons.add(`${name} ${reason}`);
  addValue(context, name, 1, 'Count');
};

type TokenServedEvent = Extract<AccessEvent, { type: 'token served' }>;
type SecretReadEvent = Extract<AccessEvent, { type: 'secret read' }>;

const measureServed = (context: Context, { state, ageMs }: TokenServedEvent): void => {
  addValue(context, 'TokenAge', ageMs);
  if (state !== 'fresh') addCount(context, 'StaleTokenServed', state);
};

const measureRead = (context: Context, { stage, cause, outcome }: SecretReadEvent): void => {
  if (cause !== 'first') addCount(context, 'SecretReread', cause);
  // That there is no other version than the current one is no failure.
  const absent = stage !== 'AWSCURRENT' && outcome === notFound;
  if (outcome !== 'ok' && !absent) addCount(context, 'SecretReadFailed', outcome);
};

/** What decisions come to, as metrics. */
const measureEvent = (context: Context, decision: Exclude<AccessEvent, TokenServedEvent>): void => {
  switch (decision.type) {
    case 'token denied':
      return addCount(context, 'TokenDenied', decision.kind);
    case 'token waited for':
      if (decision.outcome !== 'ok') addCount(context, 'TokenDenied', decision.outcome);
      return addValue(context, 'TokenWait', decision.ms);
    case 'token request ended':
      if (decision.outcome === 'ok') return addValue(context, 'TokenFetched', decision.ms);
      context.reasons.add(`TokenFetchFailed ${decision.outcome} ${decision.reason}`);
      return addValue(context, 'TokenFetchFailed', decision.ms);
    case 'no token obtained':
      return addCount(context, decision.kind, decision.reason);
    case 'refresh ended with the invocation':
      return addCount(context, 'RefreshAborted');
    case 'shared token':
      if (decision.outcome === 'used') return addCount(context, 'SharedTokenUsed');
      return addCount(context, 'SharedTokenNotUsed', decision.outcome);
    case 'secret read':
      return measureRead(context, decision);
    case 'last known good secret served':
      return addCount(context, 'LastKnownGoodSecretUsed', decision.reason);
    case 'client secret in use is not the current one':
      return addCount(context, 'PreviousSecretUsed', decision.stage);
    case 'new version of the client secret not used':
      return addCount(context, 'SecretKeptBack', decision.reason);
    case 'client certificate adopted':
      if (decision.swapped) addCount(context, 'CertificateSwapped');
      if (decision.daysLeft !== undefined && decision.daysLeft < minDaysLeft)
        addValue(context, 'CertificateDaysLeft', decision.daysLeft, 'None');
      return undefined;
    case 'client certificate kept back':
      return decision.stage === 'AWSCURRENT' ? addCount(context, 'CertificateKeptBack', decision.reason) : undefined;
    case 'client certificate refused by the API':
      return addCount(context, 'CertificateKeptBack', `refused_by_api_${decision.refusal}`);
    case 'client certificate in use has expired':
      return addCount(context, 'CertificateExpired');
    case 'connections retired after a thaw':
      return addCount(context, 'AgentRetired');
    case 'API said 401':
      addCount(context, 'Api401', decision.action);
      if (decision.action === 'given up') addCount(context, 'ApiUnauthorized', decision.action);
      return undefined;
    case 'token flight':
    case 'token request repeated':
    case 'rested connections given up':
    case 'secret read denied':
    case 'client secret not tried':
    case 'every client secret refused':
      // What comes of them is told by other decisions, or by how the call ends.
      return undefined;
  }
};

/**
 * Makes metrics of decisions, gathered in the container: one line of a call in which something was decided, one a minute
 * of those in which nothing was but to serve the token at hand.
 */
export const createAccessMetrics = (options: AccessMetricsOptions): AccessMetrics => {
  const context: Context = {
    ...options,
    gathered: new Map(),
    reasons: new Set(),
    noteworthy: false,
    writtenAt: Number.NEGATIVE_INFINITY,
  };
  return {
    onDecision: (decision) => {
      if (decision.type === 'token served') return measureServed(context, decision);
      context.noteworthy = true;
      measureEvent(context, decision);
    },
    settle: () => {
      if (context.gathered.size === 0) return;
      if (context.noteworthy || options.now() - context.writtenAt >= maxHold) writeMetrics(context);
    },
  };
};
