import type { BlockList } from 'node:net';
import type { Attempt, Endpoint, EndpointSecret } from '../../domain/events/endpoint.ts';
import { signatureHeaders } from '../../domain/events/retry.ts';
import { type Agent, createAgent } from '../../access/net/agent.ts';
import { type Clock, systemClock } from '../../access/net/clock.ts';
import { createGuard, type Resolve } from '../../access/net/guard.ts';
import { type Incoming, send } from '../../access/net/request.ts';
import { retryAfterMs } from '../../access/net/retry-after.ts';
import { TransportError } from '../../access/net/transport-error.ts';
import { webhookConfig } from '../../runtime/configuration/config.ts';
import { configured, perContainer } from '../../runtime/container.ts';
import { endpointUrlError, forbiddenAddress } from '../../runtime/public-address.ts';

/** The outcome of an attempt. The receiver may request a pause (`retryAfterMs`), or no further events (`gone`). */
export type SendOutcome = Attempt & { readonly ok: boolean; readonly retryAfterMs?: number; readonly gone?: true };

export type SendEvent = (
  endpoint: Endpoint,
  secrets: readonly EndpointSecret[],
  event: { readonly id: string; readonly body: string },
  timeoutMs: number,
  signal: AbortSignal,
) => Promise<SendOutcome>;

/** The time limit of an attempt: name lookup, connection, request and response. */
export const attemptMs = 15_000;

/** The bytes of a response that are read, and those that are stored. */
const maxReadBytes = 16 * 1024;
const maxStoredBytes = 1024;

/** The maximum of a Retry-After. */
const maxRetryAfter = 6 * 3_600_000;

/**
 * The number of events that a worker sends concurrently (lib/service/outbox/run-subscription.ts). So no event waits for a
 * connection.
 */
const connections = 16;

/** Returns the beginning of a response, without characters that a terminal or a page may interpret. */
const excerpt = (body: Buffer): string =>
  body
    .subarray(0, maxStoredBytes)
    .toString()
    .replaceAll(/[^\P{C}\n\t]|\uFFFD/gu, ' ')
    .trim();

const errorOf = (error: unknown): string => {
  if (!(error instanceof TransportError)) return 'invalid';
  return error.code === 'ADDRESS_FORBIDDEN' ? 'address_forbidden' : error.reason;
};

const outcomeOf = ({ status, headers, body }: Incoming, now: number): Omit<SendOutcome, 'at' | 'ms'> => {
  const ok = status >= 200 && status < 300;
  const requestedMs = status === 429 || status === 503 ? retryAfterMs(headers['retry-after'], now) : undefined;
  const response = excerpt(body);
  return {
    ok,
    status,
    ...(response !== '' && { response }),
    ...(requestedMs !== undefined && { retryAfterMs: Math.min(requestedMs, maxRetryAfter) }),
    ...(status === 410 && { gone: true }),
  };
};

export type Sender = {
  readonly sendEvent: SendEvent;
  /** Ends the connections and aborts running requests. */
  readonly end: () => Promise<void>;
};

/**
 * Creates a sender of events to untrusted addresses. Only the status counts: a response that breaks off after the
 * status is sufficient. A redirect is a failure, and is not followed.
 *
 * The body is a CloudEvent in structured mode. Its media type is `application/json` and not
 * `application/cloudevents+json`: web frameworks parse the first by default and return an empty body for the second.
 * Standard Webhooks requires the first too.
 *
 * @param allowed private networks that may be reached
 * @param resolve @default dns.lookup
 */
export const createSender = (allowed: BlockList, clock: Clock = systemClock, resolve?: Resolve): Sender => {
  const guard = createGuard((address) => forbiddenAddress(address, allowed), resolve);
  let agent: Agent | undefined;
  const sendEvent: SendEvent = async ({ url }, secrets, event, timeoutMs, signal) => {
    const startedAt = clock.now();
    const started = clock.monotonic();
    const ended = (outcome: Omit<SendOutcome, 'at' | 'ms'>): SendOutcome => ({
      at: new Date(startedAt).toISOString(),
      ms: Math.round(clock.monotonic() - started),
      ...outcome,
    });
    // The allowed networks may have changed since the endpoint was created.
    if (endpointUrlError(url, { allowed }) !== undefined) return ended({ ok: false, error: 'address_forbidden' });
    agent ??= createAgent({ clock, guard, connections });
    const headers = {
      'content-type': 'application/json',
      'user-agent': 'Returns-Webhooks/1',
      ...signatureHeaders(event, secrets, startedAt),
    };
    try {
      const { body } = event;
      // The normalised URL, so that the check and the connection use the same text.
      const { href } = new URL(url);
      const outgoing = { agent, method: 'POST', url: href, headers, body, timeoutMs, signal } as const;
      return ended(outcomeOf(await send({ ...outgoing, maxBytes: maxReadBytes, cut: true }), clock.now()));
    } catch (error) {
      return ended({ ok: false, error: errorOf(error) });
    }
  };
  return {
    sendEvent,
    end: async () => {
      const ending = agent;
      agent = undefined;
      await ending?.end();
    },
  };
};

const config = configured(webhookConfig);

/** Opens a sender with the allowed networks of this deployment. */
export const openSender = (): Sender => createSender(config().allowed);

const shared = perContainer(openSender);

/**
 * Sends an event by the connections of the container.
 *
 * @param timeoutMs milliseconds for the whole attempt
 * @param signal aborts the attempt, which then has failed
 */
export const sendEvent: SendEvent = (...args) => shared().sendEvent(...args);
