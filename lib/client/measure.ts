import type { Decision, OnDecision } from '../oauth/decision.ts';
import { notFound } from '../secrets/secret.ts';
import { fewDays } from './decision-log.ts';
import { metricLine, maxValues, type Metric } from './metric-line.ts';

export type MeasureOptions = {
  /** `<service>-<stage>-<function>`, as it is deployed. */
  readonly functionName: string;
  /** Epoch milliseconds. */
  readonly now: () => number;
  readonly write: (line: string) => void;
};

export type Measure = {
  readonly onDecision: OnDecision;
  /** Writes what is not to be held any longer. Belongs to the end of a call of the service. */
  readonly settle: () => void;
};

type Gathered = Omit<Metric, 'name' | 'values'> & { readonly values: number[] };
type Context = MeasureOptions & {
  readonly gathered: Map<string, Gathered>;
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

const write = (context: Context): void => {
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

const add = (context: Context, name: string, value: number, unit: Metric['unit'] = 'Milliseconds'): void => {
  const { gathered } = context;
  const metric = gathered.get(name);
  if (metric === undefined) return void gathered.set(name, { unit, values: [value] });
  if (unit === 'Count') metric.values[0] = (metric.values[0] ?? 0) + value;
  else if (metric.values.push(value) === maxValues) write(context);
};

const count = (context: Context, name: string, reason?: string): void => {
  if (reason !== undefined) context.reasons.add(`${name} ${reason}`);
  add(context, name, 1, 'Count');
};

type Served = Extract<Decision, { type: 'token served' }>;
type Read = Extract<Decision, { type: 'secret read' }>;

const measureServed = (context: Context, { state, ageMs }: Served): void => {
  add(context, 'TokenAge', ageMs);
  if (state !== 'fresh') count(context, 'StaleTokenServed', state);
};

const measureRead = (context: Context, { stage, cause, outcome }: Read): void => {
  if (cause !== 'first') count(context, 'SecretReread', cause);
  // That there is no other version than the current one is no failure.
  const absent = stage !== 'AWSCURRENT' && outcome === notFound;
  if (outcome !== 'ok' && !absent) count(context, 'SecretReadFailed', outcome);
};

/** What decisions come to, as metrics. */
const measure = (context: Context, decision: Exclude<Decision, Served>): void => {
  switch (decision.type) {
    case 'token denied':
      return count(context, 'TokenDenied', decision.kind);
    case 'token waited for':
      if (decision.outcome !== 'ok') count(context, 'TokenDenied', decision.outcome);
      return add(context, 'TokenWait', decision.ms);
    case 'token request ended':
      if (decision.outcome === 'ok') return add(context, 'TokenFetched', decision.ms);
      context.reasons.add(`TokenFetchFailed ${decision.outcome} ${decision.reason}`);
      return add(context, 'TokenFetchFailed', decision.ms);
    case 'no token obtained':
      return count(context, decision.kind, decision.reason);
    case 'refresh ended with the invocation':
      return count(context, 'RefreshAborted');
    case 'shared token':
      if (decision.outcome === 'used') return count(context, 'SharedTokenUsed');
      return count(context, 'SharedTokenNotUsed', decision.outcome);
    case 'secret read':
      return measureRead(context, decision);
    case 'last known good secret served':
      return count(context, 'LastKnownGoodSecretUsed', decision.reason);
    case 'client secret in use is not the current one':
      return count(context, 'PreviousSecretUsed', decision.stage);
    case 'new version of the client secret not used':
      return count(context, 'SecretKeptBack', decision.reason);
    case 'client certificate adopted':
      if (decision.swapped) count(context, 'CertificateSwapped');
      if (decision.daysLeft !== undefined && decision.daysLeft < fewDays)
        add(context, 'CertificateDaysLeft', decision.daysLeft, 'None');
      return undefined;
    case 'client certificate kept back':
      return decision.stage === 'AWSCURRENT' ? count(context, 'CertificateKeptBack', decision.reason) : undefined;
    case 'client certificate refused by the API':
      return count(context, 'CertificateKeptBack', `refused_by_api_${decision.refusal}`);
    case 'client certificate in use has expired':
      return count(context, 'CertificateExpired');
    case 'connections retired after a thaw':
      return count(context, 'AgentRetired');
    case 'API said 401':
      count(context, 'Api401', decision.action);
      if (decision.action === 'given up') count(context, 'ApiUnauthorized', decision.action);
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
export const createMeasure = (options: MeasureOptions): Measure => {
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
      measure(context, decision);
    },
    settle: () => {
      if (context.gathered.size === 0) return;
      if (context.noteworthy || options.now() - context.writtenAt >= maxHold) write(context);
    },
  };
};
