import { createLocalJWKSet, type JSONWebKeySet } from 'jose';
import { fail, ok, type Result } from '../../runtime/result.ts';
import type { Agent } from '../../access/net/agent.ts';
import { elapsed, stamp, type Clock, type Stamp } from '../../access/net/clock.ts';
import { send } from '../../access/net/request.ts';
import { bodyText } from '../../access/net/retry-after.ts';
import { TransportError } from '../../access/net/transport-error.ts';
import { addressError } from '../../runtime/address.ts';
import { type JsonObject, parseObject } from '../../runtime/json.ts';

/** Finds the key of a token by its header. */
export type KeySet = ReturnType<typeof createLocalJWKSet>;

/** The public keys of an issuer. */
export type IssuerKeys = {
  /**
   * Returns the keys, at most an hour old while the issuer responds.
   *
   * @throws {IssuerUnavailable} when the keys were never read, or not for six hours
   */
  readonly current: () => Promise<KeySet>;
  /** Reads the keys again for a token with an unknown key. Undefined when that is too early, or when it fails. */
  readonly renewed: () => Promise<KeySet | undefined>;
};

/** The keys of the issuer cannot be read, so no token can be verified. The reason is a code. */
export class IssuerUnavailable extends Error {
  override readonly name = 'IssuerUnavailable';
  readonly reason: string;

  constructor(reason: string) {
    super(`the keys of the issuer cannot be read: ${reason}`);
    this.reason = reason;
  }
}

/** Two documents with two attempts each end before the 10 s that a gateway waits for its authorizer. */
const attemptMs = 2_000;
const maxAttempts = 2;
/** The limit of API Gateway's own authorizer for a key set. */
const maxBytes = 150_000;

const freshMs = 60 * 60_000;
/** Keys stay in use while the issuer does not respond. */
const usableMs = 6 * freshMs;
/** Senders choose the key id of a token. So unknown ids cause one read in this time, for all senders together. */
const cooldownMs = 30_000;
/** The pause after a failure while there are no keys at all. */
const pauseMs = 2_000;

type ReadFailure = { readonly reason: string; readonly isTemporary: boolean };

const readOnce = async (agent: Agent, url: string): Promise<Result<JsonObject, ReadFailure>> => {
  try {
    const headers = { accept: 'application/json', 'accept-encoding': 'identity' };
    const { status, body } = await send({ agent, method: 'GET', url, headers, timeoutMs: attemptMs, maxBytes });
    if (status !== 200) return fail({ reason: `status_${status}`, isTemporary: status >= 500 || status === 429 });
    const document = parseObject(bodyText(body));
    return document === undefined ? fail({ reason: 'not_json', isTemporary: false }) : ok(document);
  } catch (error) {
    if (error instanceof TransportError)
      return fail({ reason: error.reason, isTemporary: error.reason !== 'too_large' });
    throw error;
  }
};

const readDocument = async (agent: Agent, url: string): Promise<Result<JsonObject, string>> => {
  let outcome = await readOnce(agent, url);
  for (let attempt = 1; attempt < maxAttempts && !outcome.ok && outcome.failure.isTemporary; attempt += 1)
    outcome = await readOnce(agent, url);
  return outcome.ok ? outcome : fail(outcome.failure.reason);
};

/** Returns the address of the key set from the metadata of an issuer (OpenID Connect Discovery 1.0, 4). */
const discover = async (agent: Agent, issuer: string): Promise<Result<string, string>> => {
  const found = await readDocument(agent, `${issuer.replace(/\/+$/, '')}/.well-known/openid-configuration`);
  if (!found.ok) return fail(`discovery_${found.failure}`);
  const { issuer: named, jwks_uri: address } = found.value;
  if (named !== issuer) return fail('discovery_names_another_issuer');
  // Some issuers add a query, such as Entra ID for its policies.
  const isUsable = typeof address === 'string' && addressError(address.replace(/\?[^#]*$/, '')) === undefined;
  return isUsable ? ok(new URL(address).href) : fail('discovery_names_no_keys');
};

const readKeySet = async (agent: Agent, issuer: string): Promise<Result<KeySet, string>> => {
  const address = await discover(agent, issuer);
  if (!address.ok) return address;
  const found = await readDocument(agent, address.value);
  if (!found.ok) return fail(`keys_${found.failure}`);
  const { keys } = found.value;
  // An empty set would replace good keys.
  if (!Array.isArray(keys) || keys.length === 0) return fail('keys_missing');
  try {
    // It checks the shape, and throws for another one.
    return ok(createLocalJWKSet(found.value as unknown as JSONWebKeySet));
  } catch {
    return fail('keys_malformed');
  }
};

type IssuerKeysOptions = {
  /** Exactly as the tokens name it. */
  readonly issuer: string;
  readonly agent: Agent;
  readonly clock: Clock;
  /** Receives the code of each failed read. */
  readonly onFailure: (reason: string) => void;
};

/**
 * Creates the cache of an issuer's public keys. It reads them by discovery, and one read serves all waiting callers.
 * A failed read leaves the known keys in use.
 */
export const createIssuerKeys = ({ issuer, agent, clock, onFailure }: IssuerKeysOptions): IssuerKeys => {
  let known: { readonly keys: KeySet; readonly readAt: Stamp } | undefined;
  let attemptedAt: Stamp | undefined;
  let lastFailure = 'not_read';
  let flight: Promise<void> | undefined;

  const read = async (): Promise<void> => {
    const readAt = stamp(clock);
    try {
      const outcome = await readKeySet(agent, issuer);
      if (outcome.ok) {
        known = { keys: outcome.value, readAt };
      } else {
        lastFailure = outcome.failure;
        onFailure(lastFailure);
      }
    } finally {
      attemptedAt = stamp(clock);
      flight = undefined;
    }
  };
  /** Reads the keys, or joins a running read. Undefined when the last attempt is too recent. */
  const readAfter = (pause: number): Promise<void> | undefined => {
    if (flight === undefined && attemptedAt !== undefined && elapsed(clock, attemptedAt) < pause) return undefined;
    return (flight ??= read());
  };
  const age = (): number => (known === undefined ? Number.POSITIVE_INFINITY : elapsed(clock, known.readAt));

  return {
    current: async () => {
      if (age() >= freshMs) await readAfter(known === undefined ? pauseMs : cooldownMs);
      if (known === undefined || age() >= usableMs) throw new IssuerUnavailable(lastFailure);
      return known.keys;
    },
    renewed: async () => {
      const before = known;
      await readAfter(cooldownMs);
      return known === before ? undefined : known?.keys;
    },
  };
};
