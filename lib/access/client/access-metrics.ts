import type { AccessEvent, OnAccessEvent } from '../oauth/access-event.ts';
import type { functionConfig } from '../../runtime/configuration/config.ts';
import { type Metric, maxValues, metricLine } from '../../runtime/metric-line.ts';
import { functionDimensions, namespace } from '../../runtime/metrics.ts';
import { notFound } from '../secrets/secret.ts';

export type AccessMetricsOptions = ReturnType<typeof functionConfig> & {
  /** Epoch milliseconds. */
  readonly now: () => number;
  readonly write: (line: string) => void;
};

export type AccessMetrics = {
  readonly onEvent: OnAccessEvent;
  /** Writes the held metrics when they are due. Call it at the end of a call of the service. */
  readonly writeDue: () => void;
};

type GatheredMetric = Omit<Metric, 'name' | 'values'> & { readonly values: number[] };
type Context = AccessMetricsOptions & {
  readonly gathered: Map<string, GatheredMetric>;
  /** Metric and reason, as a log field. As a dimension, each reason would be a metric. */
  readonly reasons: Set<string>;
  /** Whether an event other than `token served` occurred. */
  noteworthy: boolean;
  writtenAt: number;
  /** The client certificate in use. Times are in epoch milliseconds. */
  certificate: { readonly adoptedAt: number; readonly daysLeft: number; reportAt: number } | undefined;
};

/**
 * A warm call only serves a token. Its metrics are held for this time and written in one line. A container that ends
 * earlier loses at most one minute of them, and no other event.
 */
const maxHold = 60_000;

/** Each container reports the days left of its client certificate once an hour. */
const certificatePeriod = 3_600_000;
const dayMs = 86_400_000;

const writeMetrics = (context: Context): void => {
  const { gathered, reasons, now } = context;
  const at = now();
  const line = metricLine({
    namespace,
    dimensions: functionDimensions(context),
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
  // A missing version other than the current one is no failure.
  const absent = stage !== 'AWSCURRENT' && outcome === notFound;
  if (outcome !== 'ok' && !absent) addCount(context, 'SecretReadFailed', outcome);
};

type CertificateAdoptedEvent = Extract<AccessEvent, { type: 'client certificate adopted' }>;

const noteCertificate = (context: Context, { swapped, daysLeft }: CertificateAdoptedEvent): void => {
  if (swapped) addCount(context, 'CertificateReplaced');
  const at = context.now();
  context.certificate = daysLeft === undefined ? undefined : { adoptedAt: at, daysLeft, reportAt: at };
};

/** Counts an event as metrics. */
const measureEvent = (context: Context, event: Exclude<AccessEvent, TokenServedEvent>): void => {
  switch (event.type) {
    case 'token denied':
      return addCount(context, 'TokenDenied', event.kind);
    case 'token awaited':
      if (event.outcome !== 'ok') addCount(context, 'TokenDenied', event.outcome);
      return addValue(context, 'TokenWait', event.ms);
    case 'token request ended':
      if (event.outcome === 'ok') return addValue(context, 'TokenFetched', event.ms);
      context.reasons.add(`TokenFetchFailed ${event.outcome} ${event.reason}`);
      return addValue(context, 'TokenFetchFailed', event.ms);
    case 'token not obtained':
      return addCount(context, event.kind, event.reason);
    case 'shared token read':
      if (event.outcome === 'used') return addCount(context, 'SharedTokenUsed');
      return addCount(context, 'SharedTokenNotUsed', event.outcome);
    case 'secret read':
      return measureRead(context, event);
    case 'last known good secret used':
      return addCount(context, 'LastKnownGoodSecretUsed', event.reason);
    case 'another client secret used':
      return addCount(context, 'PreviousSecretUsed', event.stage);
    case 'new client secret not adopted':
      return addCount(context, 'SecretNotAdopted', event.reason);
    case 'client certificate adopted':
      return noteCertificate(context, event);
    case 'client certificate not adopted':
      return event.stage === 'AWSCURRENT' ? addCount(context, 'CertificateNotAdopted', event.reason) : undefined;
    case 'client certificate rejected by the API':
      return addCount(context, 'CertificateNotAdopted', `refused_by_api_${event.refusal}`);
    case 'client certificate expired':
      return addCount(context, 'CertificateExpired');
    case 'connections replaced after a freeze':
      return addCount(context, 'ConnectionsReplaced');
    case 'token rejected by the API':
      addCount(context, 'Api401', event.action);
      if (event.action === 'given up') addCount(context, 'ApiUnauthorized', event.action);
      return undefined;
    case 'token requested':
    case 'token request retried':
    case 'idle connections dropped':
    case 'secret read throttled':
    case 'client secret skipped':
    case 'all client secrets rejected':
      // Other events, or the outcome of the call, show their effect.
      return undefined;
  }
};

/** Adds the days left of the client certificate when they are due. They are written with the next line. */
const measureCertificate = (context: Context): void => {
  const { certificate } = context;
  if (certificate === undefined) return;
  const now = context.now();
  if (now < certificate.reportAt) return;
  const { daysLeft, adoptedAt } = certificate;
  addValue(context, 'CertificateDaysLeft', daysLeft - Math.floor((now - adoptedAt) / dayMs), 'None');
  certificate.reportAt = now + certificatePeriod;
};

/**
 * Makes metrics of access events. A call with an event other than `token served` writes a line. Other calls write one
 * line a minute per container.
 */
export const createAccessMetrics = (options: AccessMetricsOptions): AccessMetrics => {
  const context: Context = {
    ...options,
    gathered: new Map(),
    reasons: new Set(),
    noteworthy: false,
    writtenAt: Number.NEGATIVE_INFINITY,
    certificate: undefined,
  };
  return {
    onEvent: (event) => {
      if (event.type === 'token served') return measureServed(context, event);
      context.noteworthy = true;
      measureEvent(context, event);
    },
    writeDue: () => {
      measureCertificate(context);
      if (context.gathered.size === 0) return;
      if (context.noteworthy || options.now() - context.writtenAt >= maxHold) writeMetrics(context);
    },
  };
};
