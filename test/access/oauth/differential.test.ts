import fc from 'fast-check';
import * as oauth from 'oauth4webapi';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { systemClock } from '../../../lib/access/net/clock.ts';
import { buildCredentials, type Credentials } from '../../../lib/access/oauth/client-credentials.ts';
import { requestToken } from '../../../lib/access/oauth/token-request.ts';
import { Secret } from '../../../lib/access/secrets/secret.ts';
import { startServer, type Answer, type TestServer } from '../../support/http-server.ts';
import { requestedScopes, laxer, otherLifetimes, stricter, type Difference } from './differences.ts';
import { clientSecret, marker, secretText } from './harness.ts';
import { tokenAnswer, tokenAnswers, type TokenAnswer } from './token-answers.ts';

/*
 * Two clients, one server: oauth4webapi is the oracle. Each difference between the two must have a listed reason. A
 * reason that applies must cause a difference. No listed reason may be unused.
 */

type Taken = { readonly token: string; readonly type: string; readonly expiresIn: number | undefined };

const runs = 500;
let answer: Answer = 'reset';
let server: TestServer;
let credentials: Credentials;

beforeAll(async () => {
  server = await startServer(() => answer);
  const secret = new Secret('v1', secretText(clientSecret));
  credentials = buildCredentials(secret, undefined, {
    authUrl: server.origin,
    clock: systemClock,
    onEvent: () => undefined,
  });
});
afterAll(async () => {
  await credentials.agent.close();
  await server[Symbol.asyncDispose]();
});

const ours = async (): Promise<(Omit<Taken, 'expiresIn'> & { readonly lifetimeMs: number }) | undefined> => {
  const { signal } = new AbortController();
  const outcome = await requestToken({
    credentials,
    scopes: requestedScopes,
    attempts: 1,
    random: () => 0,
    signal,
    clock: systemClock,
    onEvent: () => undefined,
  });
  if (!outcome.ok) return undefined;
  const { token, lifetimeMs } = outcome.value;
  return { token: token.reveal(), type: 'bearer', lifetimeMs };
};

const theirs = async (): Promise<Taken | undefined> => {
  const as = { issuer: server.origin, token_endpoint: `${server.origin}/connect/token` };
  const client = { client_id: 'returns-client' };
  const response = await oauth.clientCredentialsGrantRequest(
    as,
    client,
    oauth.ClientSecretPost(clientSecret),
    { scope: requestedScopes.join(' ') },
    { [oauth.allowInsecureRequests]: true },
  );
  try {
    const {
      access_token: token,
      token_type: type,
      expires_in: expiresIn,
    } = await oauth.processClientCredentialsResponse(as, client, response);
    return { token, type, expiresIn };
  } catch {
    // An unread body would hold its connection. A body that was read cannot be cancelled.
    await response.body?.cancel().catch(() => undefined);
    return undefined;
  }
};

const namesOf = (differences: readonly Difference[], { facts }: TokenAnswer) =>
  differences.filter(({ applies }) => facts.status === 200 && applies(facts)).map(({ name }) => name);

const met = new Set<string>();

const compare = async (candidate: TokenAnswer) => {
  answer = candidate;
  const [mine, other] = [await ours(), await theirs()];
  const reasons = { stricter: namesOf(stricter, candidate), laxer: namesOf(laxer, candidate) };
  expect({
    oursAlone: mine !== undefined && other === undefined && reasons.laxer.length === 0,
    theirsAlone: mine === undefined && other !== undefined && reasons.stricter.length === 0,
    withoutEffect: [...(mine === undefined ? [] : reasons.stricter), ...(other === undefined ? [] : reasons.laxer)],
  }).toEqual({ oursAlone: false, theirsAlone: false, withoutEffect: [] });
  if (mine === undefined && other !== undefined) for (const name of reasons.stricter) met.add(name);
  if (mine !== undefined && other === undefined) for (const name of reasons.laxer) met.add(name);
  if (mine === undefined || other === undefined) return;
  expect([mine.token, mine.type]).toEqual([other.token, other.type]);
  const lifetime = otherLifetimes.find(({ applies }) => applies(candidate.facts));
  if (lifetime !== undefined) met.add(lifetime.name);
  expect(mine.lifetimeMs).toBe(lifetime?.milliseconds ?? (other.expiresIn ?? Number.NaN) * 1_000);
};

const good = { access_token: `abc-${marker}`, token_type: 'Bearer', expires_in: 3600 };
const saying = (more: object, encode = (text: string) => text, compressed = false) =>
  tokenAnswer({
    status: 200,
    type: 'application/json',
    compressed,
    body: Buffer.from(encode(JSON.stringify({ ...good, ...more }))),
  });

/** At least one response for each reason, so that none depends on chance. */
const examples: readonly TokenAnswer[] = [
  saying({}),
  saying({}, (text) => text.padEnd(65 * 1024)),
  saying({}, (text) => text, true),
  saying({}, (text) => `\ufeff${text}`),
  saying({ error: 'invalid_client' }),
  saying({ access_token: 'a b' }),
  saying({ access_token: 'x'.repeat(16_385) }),
  saying({ token_type: 'DPoP' }),
  saying({ token_type: undefined }),
  saying({ scope: 'returns:read' }),
  saying({ expires_in: -1 }),
  saying({ expires_in: 'abc' }),
  saying({ expires_in: '9'.repeat(400) }),
  saying({ scope: null }),
  saying({ refresh_token: null }),
  saying({ id_token: 'x' }),
  saying({ expires_in: undefined }),
  saying({ expires_in: '3600abc' }),
  saying({ expires_in: 86_401 }),
];

describe('token response', () => {
  it('is accepted or rejected as by oauth4webapi, or for a listed reason', async () => {
    await fc.assert(fc.asyncProperty(tokenAnswers, compare), {
      numRuns: runs,
      seed: 20_261_121,
      examples: examples.map((example) => [example]),
    });
    const listed = [...stricter, ...laxer, ...otherLifetimes].map(({ name }) => name);
    expect(met).toEqual(new Set(listed));
  });
});
