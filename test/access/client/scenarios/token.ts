import { setImmediate as nextTurn } from 'node:timers/promises';
import { createService } from '../../../../lib/access/client/service.ts';
import { getReturn } from '../../../../lib/contract/operations.ts';
import { failureOf, marker, minute, read, second, type Harness } from '../../oauth/harness.ts';
import { startServer, type TestServer } from '../../../support/http-server.ts';
import { begin, first, other, outlive, softAge, withPair, type Scenarios } from './scenario.ts';

const replace = async ({ access, clock }: Harness, rejected: Parameters<typeof access.replaceToken>[1]) =>
  access.replaceToken(read, rejected, clock.now() + 30 * second);

/** Makes calls of an API, with 20 s for each. */
const callsOf =
  ({ origin }: TestServer, { access, clock, onEvent }: Harness) =>
  () => {
    const call = createService({ serviceUrl: origin, access, clock, random: () => 0, reserveMs: 0, onEvent });
    const traceId = '0'.repeat(31) + '1';
    const deadline = clock.now() + 20 * second;
    return call(getReturn, { returnId: 'x' }, { dryRun: false, traceId, deadline, scopes: ['returns:read'] });
  };

/** Calls an API that answers 401 to every token. */
const callRejecting = async (harness: Harness) => {
  await using api = await startServer(() => ({ status: 401, body: marker }));
  await callsOf(api, harness)();
};

/** Makes two calls with a pause between them, in which the connection goes silent. */
const callByDeadConnection = async (harness: Harness) => {
  await using api = await startServer(() => (api.requests.length === 2 ? 'hang' : { status: 200, body: '{"id":"x"}' }));
  const call = callsOf(api, harness);
  await call();
  // undici releases a connection one event-loop turn after the last byte of the response.
  await nextTurn();
  harness.clock.advance(2 * second);
  const calling = call();
  await api.received(2);
  harness.clock.advance(10 * second);
  await harness.clock.scheduled(100);
  harness.clock.advance(100);
  await calling;
};

export const tokenScenarios = {
  'token served': [
    {
      name: 'before R',
      run: async (harness) => {
        await harness.text();
        harness.clock.advance(minute);
        await harness.text();
      },
      line: { state: 'fresh', ageMs: minute },
      metrics: { TokenAge: minute },
    },
    {
      name: 'from R on',
      run: async (harness) => {
        await harness.text();
        harness.clock.advance(softAge);
        await harness.text();
        await harness.access.drain(10 * second);
      },
      line: { state: 'soft', ageMs: softAge },
      metrics: { TokenAge: softAge, StaleTokenServed: 1 },
      reasons: ['StaleTokenServed soft'],
    },
    {
      name: 'while the token endpoint is left alone',
      run: async (harness) => {
        await harness.text();
        harness.clock.advance(softAge);
        harness.idp.always = { status: 503 };
        await harness.text();
        await harness.access.drain(10 * second);
        await harness.text();
      },
      line: { state: 'backing_off', ageMs: softAge },
      metrics: { StaleTokenServed: 2 },
      reasons: ['StaleTokenServed backing_off'],
    },
    {
      name: 'with no time left for another',
      run: async (harness) => {
        await harness.text();
        harness.clock.advance(softAge);
        await harness.text(0);
      },
      line: { state: 'spent', ageMs: softAge },
      metrics: { StaleTokenServed: 1 },
      reasons: ['StaleTokenServed spent'],
    },
  ],
  'token denied': [
    {
      name: 'while the token endpoint is left alone',
      run: async (harness) => {
        harness.idp.always = { status: 500 };
        await failureOf(harness.text());
        await failureOf(harness.text());
      },
      line: { state: 'backing_off', kind: 'IdpUnavailable', reason: 'status_500', retryAfterMs: 750 },
      metrics: { TokenDenied: 2 },
      reasons: ['TokenDenied IdpUnavailable'],
    },
    {
      name: 'when no time is left',
      run: async (harness) => failureOf(harness.text(0)),
      line: { state: 'spent', kind: 'DeadlineExceeded', reason: 'none left' },
      metrics: { TokenDenied: 1 },
      reasons: ['TokenDenied DeadlineExceeded'],
    },
  ],
  'token requested': [
    {
      name: 'of a cold container',
      run: async (harness) => harness.text(),
      line: { action: 'started', inBackground: false, reason: 'no token' },
      metrics: { TokenWait: 'some ms' },
    },
    {
      name: 'that another call waits for as well',
      run: async (harness) => Promise.all([harness.text(), harness.text()]),
      line: { action: 'joined', inBackground: false, reason: 'no token' },
      metrics: { TokenWait: 'some ms' },
    },
    {
      name: 'beside a call',
      run: async (harness) => {
        await harness.text();
        harness.clock.advance(softAge);
        await harness.text();
        await harness.access.drain(10 * second);
      },
      line: { action: 'started', inBackground: true, reason: 'token ageing' },
      metrics: { TokenFetched: 'some ms' },
    },
    {
      name: 'past H',
      run: async (harness) => {
        await outlive(harness);
        await harness.text();
      },
      line: { action: 'started', inBackground: false, reason: 'token too old' },
      metrics: { TokenFetched: 'some ms' },
    },
    {
      name: 'for another certificate',
      run: async (harness) => {
        begin(harness, withPair(first));
        await harness.text();
        harness.rotate('v2', withPair(other));
        harness.clock.advance(18 * minute);
        await harness.text();
        await harness.access.drain(10 * second);
        await harness.text();
      },
      line: { action: 'started', inBackground: true, reason: 'token of other credentials' },
      metrics: { CertificateReplaced: 1 },
    },
  ],
  'token request retried': [
    {
      name: 'after a reset',
      run: async (harness) => {
        harness.idp.instead.push('reset');
        await harness.text();
      },
      line: { kind: 'IdpUnavailable', reason: 'ECONNRESET' },
      metrics: { TokenFetched: 'some ms' },
    },
    {
      name: 'after a status that may pass',
      run: async (harness) => {
        harness.idp.instead.push({ status: 503, body: marker });
        await harness.text();
      },
      line: { kind: 'IdpUnavailable', reason: 'status_503' },
      metrics: { TokenFetched: 'some ms' },
    },
  ],
  'token awaited': [
    {
      name: 'with success',
      run: async (harness) => {
        harness.idp.always = async () => {
          harness.clock.advance(40);
          return undefined;
        };
        await harness.text();
      },
      line: { ms: 40, outcome: 'ok' },
      metrics: { TokenWait: 40, TokenFetched: 40 },
    },
    {
      name: 'in vain',
      run: async (harness) => {
        harness.idp.always = 'hang';
        const leaving = failureOf(harness.text(second));
        await harness.idp.server.received(1);
        harness.clock.advance(second);
        await leaving;
      },
      line: { ms: second, outcome: 'DeadlineExceeded' },
      metrics: { TokenWait: second, TokenDenied: 1 },
      reasons: ['TokenDenied DeadlineExceeded'],
    },
  ],
  'token request ended': [
    {
      name: 'with a token',
      run: async (harness) => harness.text(),
      line: { outcome: 'ok', attempts: 1, lifetimeMs: 3_600_000 },
      metrics: { TokenFetched: 'some ms' },
    },
    {
      name: 'with a token, the second time',
      run: async (harness) => {
        harness.idp.instead.push('reset');
        await harness.text();
      },
      line: { outcome: 'ok', attempts: 2 },
      metrics: { TokenFetched: 'some ms' },
    },
    {
      name: 'without one',
      run: async (harness) => {
        harness.idp.always = { status: 502, body: marker };
        await failureOf(harness.text());
      },
      line: { outcome: 'IdpUnavailable', reason: 'status_502', attempts: 2 },
      metrics: { TokenFetchFailed: 'some ms', IdpUnavailable: 1 },
      reasons: ['TokenFetchFailed IdpUnavailable status_502'],
    },
  ],
  'token not obtained': [
    {
      name: 'because of the token endpoint',
      run: async (harness) => {
        harness.idp.always = { status: 200, body: marker };
        await failureOf(harness.text());
      },
      level: 'warn',
      line: { kind: 'IdpProtocol', reason: 'not_json', retryAfterMs: 750 },
      metrics: { IdpProtocol: 1, TokenFetchFailed: 'some ms' },
      reasons: ['IdpProtocol not_json'],
    },
    {
      name: 'because of the secret',
      run: async (harness) => {
        harness.secrets.fault = { status: 500, body: JSON.stringify({ message: marker }) };
        await failureOf(harness.text());
      },
      level: 'warn',
      line: { kind: 'SecretUnavailable' },
      metrics: { SecretUnavailable: 1 },
    },
  ],
  'token rejected by the API': [
    {
      name: 'to the token that is held',
      run: async (harness) => replace(harness, await harness.token()),
      line: { action: 'token replaced' },
      metrics: { Api401: 1 },
      reasons: ['Api401 token replaced'],
    },
    {
      name: 'to an older token',
      run: async (harness) => {
        const rejected = await harness.token();
        await replace(harness, rejected);
        await replace(harness, rejected);
      },
      line: { action: 'another token held' },
      metrics: { Api401: 2 },
      reasons: ['Api401 another token held'],
    },
    {
      name: 'to a token that was replaced just now',
      run: async (harness) =>
        failureOf((async () => replace(harness, await replace(harness, await harness.token())))()),
      line: { action: 'token replaced just now' },
      metrics: { Api401: 2 },
      reasons: ['Api401 token replaced just now'],
    },
    {
      name: 'to a new token, after another that it accepted',
      run: async (harness) => {
        const { access } = harness;
        access.acceptToken(read, await harness.token());
        await harness.text();
        harness.clock.advance(softAge);
        await harness.text();
        await access.drain(10 * second);
        await replace(harness, await harness.token());
      },
      line: { action: 'previous token used' },
      metrics: { Api401: 1 },
      reasons: ['Api401 previous token used'],
    },
    {
      name: 'again and again to one call',
      run: callRejecting,
      line: { action: 'given up' },
      metrics: { Api401: 3, ApiUnauthorized: 1 },
      reasons: ['ApiUnauthorized given up'],
    },
  ],
  'idle connections dropped': [
    {
      name: 'after half of the time',
      run: callByDeadConnection,
      line: { ms: 10 * second },
      metrics: { TokenAge: 2 * second },
    },
  ],
  'connections replaced after a freeze': [
    {
      name: 'before a request goes by one of them',
      run: async (harness) => {
        await harness.text();
        harness.clock.freeze(5 * second);
        await harness.text(second, ['returns:write']);
      },
      line: { idleMs: 5 * second },
      metrics: { ConnectionsReplaced: 1 },
    },
  ],
} satisfies Scenarios<
  | 'token served'
  | 'token denied'
  | 'token requested'
  | 'token request retried'
  | 'token awaited'
  | 'token request ended'
  | 'token not obtained'
  | 'token rejected by the API'
  | 'idle connections dropped'
  | 'connections replaced after a freeze'
>;
