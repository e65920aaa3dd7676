import type { BlockList } from 'node:net';
import type { Attempt, Endpoint, EndpointSecret } from '../events/endpoint.ts';
import { signatureHeaders } from '../events/retry.ts';
import { type Agent, createAgent } from '../net/agent.ts';
import { type Clock, systemClock } from '../net/clock.ts';
import { createGuard, type Resolve } from '../net/guard.ts';
import { type Incoming, send } from '../net/request.ts';
import { retryAfterMs } from '../net/retry-after.ts';
import { TransportError } from '../net/transport-error.ts';
import { webhookConfig } from '../runtime/config.ts';
import { configured, perContainer } from '../runtime/container.ts';
import { endpointUrlError, forbiddenAddress } from '../runtime/public-address.ts';

/** How an attempt ended, and what the receiver asks for: to wait, or never to come again. */
export type SendOutcome = Attempt & { readonly ok: boolean; readonly retryAfterMs?: number; readonly gone?: true };

export type SendEvent = (
  endpoint: Endpoint,
  secrets: readonly EndpointSecret[],
  event: { readonly id: string; readonly body: string },
  timeoutMs: number,
  signal: AbortSignal,
) => Promise<SendOutcome>;

/** For all of an attempt: the name, the connection, the request and the answer. */
export const attemptMs = 15_000;

/** Of an answer no more is read, and of what is read no more is kept. */
const maxReadBytes = 16 * 1024;
const maxStoredBytes = 1024;

/** Whoever asks for more than that is asked again then. */
const maxRetryAfter = 6 * 3_600_000;

/**
 * As many as a worker sends at once (lib/outbox/run-subscription.ts), so that none waits for the connection of another.
 */
const connections = 16;

/** What an answer begins with, without what a terminal or a page might take for more than text. */
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
  const asked = status === 429 || status === 503 ? retryAfterMs(headers['retry-after'], now) : undefined;
  const response = excerpt(body);
  return {
    ok,
    status,
    ...(response !== '' && { response }),
    ...(asked !== undefined && { retryAfterMs: Math.min(asked, maxRetryAfter) }),
    ...(status === 410 && { gone: true }),
  };
};

export type Sender = {
  readonly sendEvent: SendEvent;
  /** Ends the connections, and with them whatever is under way. */
  readonly end: () => Promise<void>;
};

/**
 * Sends events to addresses that strangers have chosen. What counts is the status: an answer that breaks off after it
 * or never ends is as good as a whole one. A redirect is no success, and nobody asks where it leads.
 *
 * The body is a CloudEvent in structured mode. It is announced as `application/json` though it might be
 * `application/cloudevents+json`: that is what the parsers of web frameworks take by themselves, where the other one
 * comes through as an empty body, and what Standard Webhooks asks for.
 *
 * @param allowed networks that are not public and may be reached all the same
 * @param resolve @default dns.lookup
 */
export const createSender = (allowed: BlockList, clock: Clock = systemClock, resolve?: Resolve): Sender => {
  const guard = createGuard((address) => forbiddenAddress(address, allowed), resolve);
  let agent: Agent | undefined;
  const sendEvent: SendEvent = async ({ url }, secrets, event, timeoutMs, signal) => {
    const begun = clock.now();
    const started = clock.monotonic();
    const ended = (outcome: Omit<SendOutcome, 'at' | 'ms'>): SendOutcome => ({
      at: new Date(begun).toISOString(),
      ms: Math.round(clock.monotonic() - started),
      ...outcome,
    });
    // What was allowed when the endpoint was made may not be any more.
    if (endpointUrlError(url, { allowed }) !== undefined) return ended({ ok: false, error: 'address_forbidden' });
    agent ??= createAgent({ clock, guard, connections });
    const headers = {
      'content-type': 'application/json',
      'user-agent': 'Returns-Webhooks/1',
      ...signatureHeaders(event, secrets, begun),
    };
    try {
      const { body } = event;
      // As a parser writes it: what is judged and what is connected to are the same text.
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

/** A sender to wherever this deployment allows. */
export const openSender = (): Sender => createSender(config().allowed);

const shared = perContainer(openSender);

/**
 * Sends an event by the connections of the container.
 *
 * @param timeoutMs milliseconds for all of it
 * @param signal ends it before; the attempt has failed then
 */
export const sendEvent: SendEvent = (...given) => shared().sendEvent(...given);
