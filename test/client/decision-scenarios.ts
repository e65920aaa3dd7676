import { getReturn } from '../../lib/contract/operations.ts';
import { createService } from '../../lib/client/service.ts';
import type { Level } from '../../lib/log.ts';
import type { Decision } from '../../lib/oauth/decision.ts';
import { failureOf, marker, minute, read, second, secretText, type Harness } from '../oauth/harness.ts';
import { testCertificate } from '../support/certificate.ts';
import { startServer } from '../support/http-server.ts';

/** How a decision comes about at the wire, and what is to be seen of it. */
export type Scenario = {
  readonly name: string;
  readonly run: (harness: Harness) => Promise<unknown>;
  readonly level?: Level;
  /** Fields of the line that says it. */
  readonly line: Readonly<Record<string, unknown>>;
  /** Metrics that are written of it; of those without a value, some number. */
  readonly metrics: Readonly<Record<string, number | undefined>>;
  readonly reasons?: readonly string[];
};

const [from, to] = [Date.UTC(2020, 0), Date.UTC(2040, 0)];
const first = testCertificate('first', from, to);
const other = testCertificate('other', from, to);
const expired = testCertificate('expired', from, Date.UTC(2026, 0));

const good = `one+&=% ${marker}`;
const withPair = ({ certificate, privateKey }: { readonly certificate: string; readonly privateKey: string }) =>
  secretText(good, { certificate, privateKey });

const soft = 2_880 * second;
const spent = 3_540 * second;

/** A version of the secret that is there from the start. */
const begin = ({ secrets }: Harness, text: string) =>
  void secrets.versions.set('AWSCURRENT', { versionId: 'v1', text });

/** A token, and time until another one is needed. */
const outlive = async (harness: Harness) => {
  await harness.text();
  harness.clock.advance(spent);
};

const settleAfter = async ({ access, clock, idp }: Harness, posts: number) => {
  await idp.server.received(posts);
  const settling = access.settle(100 * second);
  await clock.scheduled(second);
  clock.advance(second);
  await settling;
};

const replace = async ({ access, clock }: Harness, refused: Parameters<typeof access.replaceToken>[1]) =>
  access.replaceToken(read, refused, clock.now() + 30 * second);

/** A call of an API that says 401 to every token. */
const callRefusing = async ({ access, clock, onDecision }: Harness) => {
  await using api = await startServer(() => ({ status: 401, body: marker }));
  const call = createService({ serviceUrl: api.origin, access, clock, random: () => 0, reserveMs: 0, onDecision });
  const traceId = '0'.repeat(31) + '1';
  const deadline = clock.now() + 20 * second;
  return await call(getReturn, { returnId: 'x' }, { dryRun: false, traceId, deadline, scopes: ['returns:read'] });
};

export const scenarios: Readonly<Record<Decision['type'], readonly Scenario[]>> = {
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
        harness.clock.advance(soft);
        await harness.text();
        await harness.access.settle(10 * second);
      },
      line: { state: 'soft', ageMs: soft },
      metrics: { TokenAge: soft, StaleTokenServed: 1 },
      reasons: ['StaleTokenServed soft'],
    },
    {
      name: 'while the token endpoint is left alone',
      run: async (harness) => {
        await harness.text();
        harness.clock.advance(soft);
        harness.idp.always = { status: 503 };
        await harness.text();
        await harness.access.settle(10 * second);
        await harness.text();
      },
      line: { state: 'backing_off', ageMs: soft },
      metrics: { StaleTokenServed: 2 },
      reasons: ['StaleTokenServed backing_off'],
    },
    {
      name: 'with no time left for another',
      run: async (harness) => {
        await harness.text();
        harness.clock.advance(soft);
        await harness.text(0);
      },
      line: { state: 'spent', ageMs: soft },
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
  'token flight': [
    {
      name: 'of a cold container',
      run: async (harness) => harness.text(),
      line: { action: 'started', beside: false, reason: 'no token' },
      metrics: { TokenWait: undefined },
    },
    {
      name: 'that another call waits for as well',
      run: async (harness) => Promise.all([harness.text(), harness.text()]),
      line: { action: 'joined', beside: false, reason: 'no token' },
      metrics: { TokenWait: undefined },
    },
    {
      name: 'beside a call',
      run: async (harness) => {
        await harness.text();
        harness.clock.advance(soft);
        await harness.text();
        await harness.access.settle(10 * second);
      },
      line: { action: 'started', beside: true, reason: 'token ageing' },
      metrics: { TokenFetched: undefined },
    },
    {
      name: 'past H',
      run: async (harness) => {
        await outlive(harness);
        await harness.text();
      },
      line: { action: 'started', beside: false, reason: 'token too old' },
      metrics: { TokenFetched: undefined },
    },
    {
      name: 'for another certificate',
      run: async (harness) => {
        begin(harness, withPair(first));
        await harness.text();
        harness.rotate('v2', withPair(other));
        harness.clock.advance(18 * minute);
        await harness.text();
        await harness.access.settle(10 * second);
        await harness.text();
      },
      line: { action: 'started', beside: false, reason: 'token of other credentials' },
      metrics: { CertificateSwapped: 1 },
    },
  ],
  'token waited for': [
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
      metrics: { TokenFetched: undefined },
    },
    {
      name: 'with a token, the second time',
      run: async (harness) => {
        harness.idp.instead.push('reset');
        await harness.text();
      },
      line: { outcome: 'ok', attempts: 2 },
      metrics: { TokenFetched: undefined },
    },
    {
      name: 'without one',
      run: async (harness) => {
        harness.idp.always = { status: 502, body: marker };
        await failureOf(harness.text());
      },
      line: { outcome: 'IdpUnavailable', reason: 'status_502', attempts: 2 },
      metrics: { TokenFetchFailed: undefined, IdpUnavailable: 1 },
      reasons: ['TokenFetchFailed IdpUnavailable status_502'],
    },
  ],
  'no token obtained': [
    {
      name: 'because of the token endpoint',
      run: async (harness) => {
        harness.idp.always = { status: 200, body: marker };
        await failureOf(harness.text());
      },
      level: 'warn',
      line: { kind: 'IdpProtocol', reason: 'not_json', retryAfterMs: 750 },
      metrics: { IdpProtocol: 1, TokenFetchFailed: undefined },
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
  'refresh ended with the invocation': [
    {
      name: 'which it would have kept waiting',
      run: async (harness) => {
        await harness.text();
        harness.clock.advance(soft);
        harness.idp.always = 'hang';
        await harness.text();
        await settleAfter(harness, 2);
      },
      line: { ms: second },
      metrics: { RefreshAborted: 1 },
    },
  ],
  'API said 401': [
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
        const refused = await harness.token();
        await replace(harness, refused);
        await replace(harness, refused);
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
      metrics: { Api401: 2, ApiUnauthorized: 1 },
      reasons: ['ApiUnauthorized token replaced just now'],
    },
    {
      name: 'twice to one call',
      run: callRefusing,
      line: { action: 'given up' },
      metrics: { Api401: 2, ApiUnauthorized: 1 },
      reasons: ['ApiUnauthorized given up'],
    },
  ],
  'secret read': [
    {
      name: 'first',
      run: async (harness) => harness.text(),
      line: { stage: 'AWSCURRENT', cause: 'first', outcome: 'ok', versionId: 'v1', changed: false },
      metrics: { TokenFetched: undefined },
    },
    {
      name: 'because it is due',
      run: async (harness) => {
        await outlive(harness);
        await harness.text();
      },
      line: { stage: 'AWSCURRENT', cause: 'due', outcome: 'ok', versionId: 'v1', changed: false },
      metrics: { SecretReread: 1 },
      reasons: ['SecretReread due'],
    },
    {
      name: 'because it did not work',
      run: async (harness) => {
        harness.idp.fields['expires_in'] = 60;
        await harness.text();
        harness.rotate('v2', secretText('two'));
        harness.idp.accepted.clear();
        harness.idp.accepted.add('two');
        harness.clock.advance(minute);
        await harness.text();
      },
      line: { stage: 'AWSCURRENT', cause: 'forced', outcome: 'ok', versionId: 'v2', changed: true },
      metrics: { SecretReread: 1, TokenFetchFailed: undefined },
      reasons: ['SecretReread forced', 'TokenFetchFailed ClientRejected invalid_client'],
    },
    {
      name: 'in vain',
      run: async (harness) => {
        harness.secrets.fault = { status: 400, body: JSON.stringify({ __type: 'AccessDeniedException' }) };
        await failureOf(harness.text());
      },
      line: { stage: 'AWSCURRENT', cause: 'first', outcome: 'AccessDeniedException', changed: false },
      metrics: { SecretReadFailed: 1 },
      reasons: ['SecretReadFailed AccessDeniedException'],
    },
  ],
  'last known good secret served': [
    {
      name: 'while Secrets Manager fails',
      run: async (harness) => {
        await outlive(harness);
        harness.secrets.fault = { status: 400, body: JSON.stringify({ __type: 'InternalServiceError' }) };
        await harness.text();
      },
      line: { stage: 'AWSCURRENT', reason: 'InternalServiceError', versionId: 'v1' },
      metrics: { LastKnownGoodSecretUsed: 1, SecretReadFailed: 1 },
      reasons: ['LastKnownGoodSecretUsed InternalServiceError'],
    },
  ],
  'client secret in use is not the current one': (['AWSPREVIOUS', 'AWSPENDING'] as const).map((stage) => ({
    name: `but ${stage}`,
    run: async (harness) => {
      begin(harness, secretText(`too new ${marker}`));
      harness.secrets.versions.set(stage, { versionId: 'v0', text: secretText(good) });
      await harness.text();
    },
    level: 'warn',
    line: { stage, versionId: 'v0' },
    metrics: { PreviousSecretUsed: 1 },
    reasons: [`PreviousSecretUsed ${stage}`],
  })),
  'every client secret refused': [
    {
      name: 'and there is no other',
      run: async (harness) => {
        harness.idp.accepted.clear();
        await failureOf(harness.text());
      },
      level: 'error',
      line: { tries: 1, retryAfterMs: minute },
      metrics: { ClientRejected: 1 },
      reasons: ['ClientRejected invalid_client'],
    },
  ],
  'new version of the client secret not used': [
    {
      name: 'because it is malformed',
      run: async (harness) => {
        await outlive(harness);
        harness.rotate('v2', `{"clientId":"${marker}"}`);
        await harness.text();
      },
      level: 'error',
      line: { reason: 'malformed clientSecret', versionId: 'v2' },
      metrics: { SecretKeptBack: undefined },
      reasons: ['SecretKeptBack malformed clientSecret'],
    },
  ],
  'client certificate adopted': [
    {
      name: 'first',
      run: async (harness) => {
        begin(harness, withPair(first));
        await harness.text();
      },
      line: { swapped: false, versionId: 'v1', daysLeft: Math.floor((to - Date.UTC(2026, 10, 21, 8)) / 86_400_000) },
      metrics: { TokenFetched: undefined },
    },
    {
      name: 'in place of another',
      run: async (harness) => {
        begin(harness, withPair(first));
        await outlive(harness);
        harness.rotate('v2', withPair(other));
        await harness.text();
      },
      line: { swapped: true, versionId: 'v2' },
      metrics: { CertificateSwapped: 1 },
    },
    {
      name: 'that ends soon',
      run: async (harness) => {
        begin(harness, withPair(testCertificate('soon', from, harness.clock.now() + 30 * 24 * 60 * minute - second)));
        await harness.text();
        await harness.text();
      },
      level: 'warn',
      line: { swapped: false, versionId: 'v1', daysLeft: 29 },
      metrics: { CertificateDaysLeft: 29 },
    },
  ],
  'client certificate kept back': [
    {
      name: 'because it has expired',
      run: async (harness) => {
        begin(harness, withPair(first));
        await outlive(harness);
        harness.rotate('v2', withPair(expired));
        await harness.text();
      },
      level: 'error',
      line: { stage: 'AWSCURRENT', reason: 'expired', versionId: 'v2' },
      metrics: { CertificateKeptBack: undefined },
      reasons: ['CertificateKeptBack expired'],
    },
    {
      name: 'of an older version, which troubles nobody',
      run: async (harness) => {
        begin(harness, withPair(first));
        harness.secrets.versions.set('AWSPREVIOUS', { versionId: 'v0', text: withPair(expired) });
        harness.idp.accepted.clear();
        await failureOf(harness.text());
      },
      line: { stage: 'AWSPREVIOUS', reason: 'expired', versionId: 'v0' },
      metrics: { ClientRejected: 1 },
    },
  ],
  'client certificate in use has expired': [
    {
      name: 'and there is no other yet',
      run: async (harness) => {
        begin(harness, withPair(testCertificate('soon', from, harness.clock.now() + minute)));
        await harness.text();
        harness.clock.advance(2 * minute);
        await harness.text();
        await harness.access.settle(10 * second);
      },
      level: 'error',
      line: { versionId: 'v1' },
      metrics: { CertificateExpired: 1, SecretReread: 1 },
      reasons: ['SecretReread forced'],
    },
  ],
  'connections retired after a thaw': [
    {
      name: 'before a request goes by one of them',
      run: async (harness) => {
        await harness.text();
        harness.clock.freeze(5 * second);
        await harness.text(second, ['returns:write']);
      },
      line: { idleMs: 5 * second },
      metrics: { AgentRetired: 1 },
    },
  ],
};
