import { subscribe, unsubscribe } from 'node:diagnostics_channel';
import { createReturnsClient } from '../../../access/client/returns-client.ts';
import { type Clock, systemClock } from '../../../access/net/clock.ts';
import { fetchSecret, putSecret } from '../../../access/secrets/fetch-secret.ts';
import { openSecrets } from '../../../access/secrets/own-secrets.ts';
import { secretsManager } from '../../../access/secrets/source.ts';
import { isObject, parseObject } from '../../../runtime/json.ts';
import type { LocalIssuer } from '../profiles/local-profiles.ts';

/*
 * A rehearsal of the rotation of the client secret, on the local stack. This process holds one client, as a warm
 * container does: the same code for secrets, tokens and calls. Only its clock is moved forward, by a minute after some
 * calls, so that the times of a container pass in seconds.
 */

const secretId = 'returns/client';
const minute = 60_000;
const callsOfMinute = 5;
/** The minute of the new secret. The one before is removed after the 18 minutes of the guide. */
const [rotatedAt, removedAt] = [5, 23];
/** A token of the local issuer lives an hour, so the container needs another one before this minute. */
const lastMinute = 75;
const requestMs = 5_000;

/** What a rehearsal has counted. The minutes are those after the rotation; absent when it did not happen. */
export type Rehearsal = {
  readonly calls: number;
  readonly failures: number;
  readonly readAfterMinutes?: number;
  readonly usedAfterMinutes?: number;
};

/** Something that happened in a minute of the rehearsal. */
export type Happened = (minuteOf: number, what: string) => void;

/** Any credentials: the local Secrets Manager accepts each. */
const placeOf = ({ secretsManager: endpoint }: LocalIssuer) => ({
  endpoint,
  region: 'eu-central-1',
  credentials: { accessKeyId: 'local', secretAccessKey: 'local' },
});

/** A clock that can be moved forward. Its time limits stay those of the machine. */
const movableClock = (): Clock & { readonly move: (ms: number) => void } => {
  let ahead = 0;
  return {
    now: () => systemClock.now() + ahead,
    monotonic: () => systemClock.monotonic() + ahead,
    after: systemClock.after,
    move: (ms) => void (ahead += ms),
  };
};

const answered = (response: Response | undefined): string =>
  response === undefined ? 'does not answer' : `answered ${response.status} to a change of the secret`;

/** The two systems that a rotation changes, as an operator changes them. */
const openRotation = (local: LocalIssuer, signal: AbortSignal) => {
  const client = secretsManager(placeOf(local));
  const limit = () => AbortSignal.any([signal, AbortSignal.timeout(requestMs)]);
  const read = async () => {
    const { text } = await fetchSecret(
      { client, clock: systemClock, random: Math.random },
      secretId,
      'AWSCURRENT',
      limit(),
    );
    const { clientId, clientSecret, ...others } = parseObject(text) ?? {};
    if (typeof clientId !== 'string' || typeof clientSecret !== 'string')
      throw new Error(`the secret ${secretId} of the local stack names no client. Start the stack again: npm start.`);
    return { clientId, clientSecret, others };
  };
  const askIssuer = async (method: 'POST' | 'DELETE'): Promise<unknown> => {
    const { clientId, clientSecret } = await read();
    const authorization = `Basic ${Buffer.from(`${clientId}:${clientSecret}`).toString('base64')}`;
    const url = `${local.authUrl}/clients/${clientId}/secrets`;
    const response = await fetch(url, { method, headers: { authorization }, signal: limit() }).catch(() => undefined);
    signal.throwIfAborted();
    if (response?.status !== 200)
      throw new Error(`the local issuer ${answered(response)}. Start the stack again: npm start.`);
    return response.json();
  };
  return {
    /** Adds a secret at the issuer, and makes it the current version. */
    rotate: async (): Promise<void> => {
      const { clientId, others } = await read();
      const added = await askIssuer('POST');
      const text = JSON.stringify({ ...others, clientId, clientSecret: isObject(added) ? added['clientSecret'] : '' });
      await putSecret(client, secretId, text, limit());
    },
    removeFormer: () => askIssuer('DELETE'),
    close: () => client.destroy(),
  };
};

/** Tells what the container does, by the events of its access. */
const watchContainer = (minuteOf: () => number, happened: Happened) => {
  const seen: { readAt?: number; usedAt?: number } = {};
  const onEvent = (event: unknown): void => {
    if (!isObject(event)) return;
    const at = minuteOf();
    if (event['message'] === 'secret read' && event['changed'] === true) {
      seen.readAt ??= at;
      happened(at, 'the container reads the new version of the secret');
    }
    if (event['message'] !== 'token request ended' || event['outcome'] !== 'ok') return;
    // The issuer accepts the new secret only.
    if (at >= removedAt) seen.usedAt ??= at;
    happened(at, at >= removedAt ? 'the container gets a token with the new secret' : 'the container gets a token');
  };
  subscribe('returns-client', onEvent);
  return { seen, end: () => unsubscribe('returns-client', onEvent) };
};

/**
 * Rotates the client secret of the local stack while a warm container calls the Returns Service.
 *
 * @throws an error that names the local part that failed, or the reason of the signal
 */
export const rehearseRotation = async (
  local: LocalIssuer,
  happened: Happened,
  signal: AbortSignal,
): Promise<Rehearsal> => {
  const { serviceUrl, authUrl } = local;
  const clock = movableClock();
  let [now, calls, failures] = [0, 0, 0];
  const container = createReturnsClient(
    { serviceUrl, authUrl, credentials: { secretId } },
    { clock, source: openSecrets(clock, placeOf(local)) },
  );
  const watch = watchContainer(() => now, happened);
  const rotation = openRotation(local, signal);
  const call = async (): Promise<void> => {
    const answer = await container.listReturns({ limit: 1 }, { signal });
    calls += 1;
    if (answer.ok) return;
    failures += 1;
    happened(now, `a call fails: ${answer.failure.code} ${answer.failure.reason ?? ''}`.trimEnd());
  };
  try {
    for (; now <= lastMinute; now += 1) {
      const change = now === rotatedAt ? rotation.rotate : now === removedAt ? rotation.removeFormer : undefined;
      await Promise.all([...Array.from({ length: callsOfMinute }, call), change?.()]);
      if (now === rotatedAt) happened(now, 'the issuer has a second secret, and Secrets Manager a new version');
      if (now === removedAt) happened(now, 'the issuer rejects the former secret from here');
      clock.move(minute);
    }
  } finally {
    watch.end();
    rotation.close();
    await container.close();
  }
  const { readAt, usedAt } = watch.seen;
  return {
    calls,
    failures,
    ...(readAt !== undefined && { readAfterMinutes: readAt - rotatedAt }),
    ...(usedAt !== undefined && { usedAfterMinutes: usedAt - rotatedAt }),
  };
};
