import {
  clientSecret as good,
  failureOf,
  marker,
  minute,
  second,
  secretNamed,
  secretText,
} from '../../oauth/harness.ts';
import { testCertificate } from '../../../support/certificate.ts';
import { begin, outlive, first, from, other, to, withPair, type Scenarios } from './scenario.ts';

const next = secretNamed('two');
const expired = testCertificate('expired', from, Date.UTC(2026, 0));

export const credentialsScenarios = {
  'secret read': [
    {
      name: 'first',
      run: async (harness) => harness.text(),
      line: { stage: 'AWSCURRENT', cause: 'first', outcome: 'ok', versionId: 'v1', changed: false },
      metrics: { TokenFetched: 'some ms' },
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
        harness.rotate('v2', secretText(next));
        harness.idp.accepted.clear();
        harness.idp.accepted.add(next);
        harness.clock.advance(minute);
        await harness.text();
      },
      line: { stage: 'AWSCURRENT', cause: 'forced', outcome: 'ok', versionId: 'v2', changed: true },
      metrics: { SecretReread: 1, TokenFetchFailed: 'some ms' },
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
  'secret read throttled': [
    {
      name: 'because one was forced less than 10 s ago',
      run: async (harness) => {
        harness.idp.fields['expires_in'] = 0;
        // Forces a read, because the current version is rejected, and finds a good version.
        begin(harness, secretText(`too new ${marker}`));
        harness.secrets.versions.set('AWSPREVIOUS', { versionId: 'v0', text: secretText(good) });
        await harness.text();
        harness.idp.accepted.clear();
        await failureOf(harness.text());
      },
      line: { stage: 'AWSCURRENT' },
      metrics: { PreviousSecretUsed: 1, ClientRejected: 1 },
    },
  ],
  'last known good secret used': [
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
  'client certificate rejected by the API': [
    {
      name: 'by an alert',
      run: async (harness) => {
        const { agent } = await harness.token();
        await harness.access.replaceCertificate(agent, 'alert', harness.clock.now() + second);
      },
      level: 'error',
      line: { refusal: 'alert', versionId: 'v1' },
      metrics: { CertificateNotAdopted: 1 },
      reasons: ['CertificateNotAdopted refused_by_api_alert'],
    },
  ],
  'another client secret used': (['AWSPREVIOUS', 'AWSPENDING'] as const).map((stage) => ({
    name: `but ${stage}`,
    run: async (harness) => {
      begin(harness, secretText(secretNamed('too new')));
      harness.secrets.versions.set(stage, { versionId: 'v0', text: secretText(good) });
      await harness.text();
    },
    level: 'warn',
    line: { stage, versionId: 'v0' },
    metrics: { PreviousSecretUsed: 1 },
    reasons: [`PreviousSecretUsed ${stage}`],
  })),
  'client secret skipped': [
    {
      name: 'because it was refused just now',
      run: async (harness) => {
        harness.idp.accepted.clear();
        await failureOf(harness.text());
      },
      line: { reason: 'refused', versionId: 'v1' },
      metrics: { ClientRejected: 1 },
    },
    {
      name: 'because it is malformed',
      run: async (harness) => {
        begin(harness, secretText(`too new ${marker}`));
        harness.secrets.versions.set('AWSPREVIOUS', { versionId: 'v0', text: `{"clientId":"${marker}"}` });
        await failureOf(harness.text());
      },
      line: { reason: 'malformed clientSecret', versionId: 'v0' },
      metrics: { ClientRejected: 1 },
    },
  ],
  'all client secrets rejected': [
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
  'new client secret not adopted': [
    {
      name: 'because it is malformed',
      run: async (harness) => {
        await outlive(harness);
        harness.rotate('v2', `{"clientId":"${marker}"}`);
        await harness.text();
      },
      level: 'error',
      line: { reason: 'malformed clientSecret', versionId: 'v2' },
      metrics: { SecretNotAdopted: 'some' },
      reasons: ['SecretNotAdopted malformed clientSecret'],
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
      metrics: { TokenFetched: 'some ms' },
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
      metrics: { CertificateReplaced: 1 },
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
  'client certificate not adopted': [
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
      metrics: { CertificateNotAdopted: 'some' },
      reasons: ['CertificateNotAdopted expired'],
    },
    {
      name: 'of an older version, without an effect',
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
  'client certificate expired': [
    {
      name: 'and there is no other yet',
      run: async (harness) => {
        begin(harness, withPair(testCertificate('soon', from, harness.clock.now() + minute)));
        await harness.text();
        harness.clock.advance(2 * minute);
        await harness.text();
        await harness.access.drain(10 * second);
      },
      level: 'error',
      line: { versionId: 'v1' },
      metrics: { CertificateExpired: 1, SecretReread: 1 },
      reasons: ['SecretReread forced'],
    },
  ],
} satisfies Scenarios<
  | 'secret read'
  | 'secret read throttled'
  | 'last known good secret used'
  | 'client secret skipped'
  | 'another client secret used'
  | 'all client secrets rejected'
  | 'new client secret not adopted'
  | 'client certificate adopted'
  | 'client certificate not adopted'
  | 'client certificate expired'
  | 'client certificate rejected by the API'
>;
