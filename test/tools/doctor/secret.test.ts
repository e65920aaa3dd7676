import { afterEach, describe, expect, it, vi } from 'vitest';
import { accessPart } from '../../../lib/tools/doctor/checks/access.ts';
import { examine } from '../../../lib/tools/doctor/examine.ts';
import { systemClock } from '../../../lib/access/net/clock.ts';
import { openSecrets } from '../../../lib/access/secrets/own-secrets.ts';
import { testCertificate } from '../../support/certificate.ts';
import { startServer, type Answer, type TestServer } from '../../support/http-server.ts';
import { clientSecret, marker, row, startWorld, withStatus } from './harness.ts';
import { inSoak } from '../../support/samples.ts';

const rejection = (type: string, message = ''): Answer => ({
  status: 400,
  headers: { 'content-type': 'application/x-amz-json-1.1' },
  body: JSON.stringify({ __type: type, message }),
});

afterEach(() => vi.unstubAllEnvs());

describe('doctor check of the secret', () => {
  it.each<[string, Answer, string, string]>([
    [
      'access is denied',
      rejection('AccessDeniedException', 'User is not authorized'),
      'AccessDeniedException',
      'secretsmanager:GetSecretValue',
    ],
    [
      'access to its key is denied',
      rejection('AccessDeniedException', 'Access to KMS is not allowed'),
      'access to its KMS key is denied',
      'kms:Decrypt',
    ],
    ['its key is unusable', rejection('DecryptionFailure'), 'DecryptionFailure', 'disabled or pending deletion'],
    [
      'the secret does not exist',
      rejection('ResourceNotFoundException'),
      'ResourceNotFoundException',
      'this account and region',
    ],
    ['the secret is being deleted', rejection('InvalidRequestException'), 'InvalidRequestException', 'Restore it'],
    ['the AWS credentials have expired', rejection('ExpiredTokenException'), 'ExpiredTokenException', 'Log in again'],
    [
      'the AWS credentials are unknown',
      rejection('UnrecognizedClientException'),
      'UnrecognizedClientException',
      'AWS does not know these credentials',
    ],
    [
      'the signature is wrong',
      rejection('InvalidSignatureException'),
      'InvalidSignatureException',
      'clock of this machine and AWS_SECRET_ACCESS_KEY',
    ],
    [
      'Secrets Manager throttles',
      rejection('ThrottlingException'),
      'ThrottlingException',
      'Run the doctor again later',
    ],
    ['the secret is empty', { status: 200, body: '{"VersionId":"v1"}' }, 'EmptySecret', 'has no value. Store one'],
    ['AWS returns another error', rejection('InternalServiceError'), 'InternalServiceError', 'the status of AWS'],
    ['a proxy rejects', { status: 407, body: `<html>${marker}` }, 'status_407', 'not from Secrets Manager'],
    ['an HTML page answers', { status: 200, body: `<html>${marker}` }, 'SyntaxError', 'not from Secrets Manager'],
    [
      'the response is too large',
      { status: 200, body: marker.repeat(100_000) },
      'too_large',
      'not from Secrets Manager',
    ],
    ['the connection closes', 'reset', 'ECONNRESET', 'VPC endpoint'],
    ...inSoak<[string, Answer, string, string]>(['there is no answer', 'hang', 'no answer in time', 'VPC endpoint']),
  ])('fails when %s', async (_, fault, detail, remedy) => {
    await using world = await startWorld();
    world.secrets.fault = fault;
    const report = await world.examine();
    expect(row(report, 'secret')).toMatchObject({
      status: 'failed',
      detail: `unreadable: ${detail}`,
      remedy: expect.stringContaining(remedy),
    });
    expect(withStatus(report, 'failed')).toEqual(['secret']);
    expect(JSON.stringify(report)).not.toContain(marker);
    expect(row(report, 'token').detail).toBe('the secret has no usable credentials');
    expect([world.idp.server.requests.length, world.api.requests.length]).toEqual([0, 0]);
  });

  it.each([
    ['nothing listens at the address', () => 'http://127.0.0.1:1', 'ECONNREFUSED', 'is unreachable'],
    ['its name is unknown', () => 'https://secrets.invalid', 'ENOTFOUND', 'is unreachable'],
    [
      'its certificate is not trusted',
      ({ origin }: TestServer) => origin,
      'DEPTH_ZERO_SELF_SIGNED_CERT',
      'NODE_EXTRA_CA_CERTS',
    ],
  ])('fails for Secrets Manager when %s', async (_, variable, code, remedy) => {
    const { certificate: cert, privateKey: key } = testCertificate('secrets', Date.UTC(2020, 0), Date.UTC(2040, 0));
    await using other = await startServer(() => 'hang', { cert, key });
    vi.stubEnv('AWS_ENDPOINT_URL_SECRETS_MANAGER', variable(other));
    const source = openSecrets();
    const report = await examine({
      parts: [
        accessPart({
          settings: {
            serviceUrl: 'http://127.0.0.1:1',
            authUrl: 'http://127.0.0.1:1',
            clientSecretId: 'id',
            access: {},
          },
          source,
        }),
      ],
      limitMs: 20_000,
      clock: systemClock,
      traceId: '0'.repeat(31) + '1',
    });
    expect(row(report, 'secret')).toMatchObject({
      detail: `unreadable: ${code}`,
      remedy: expect.stringContaining(remedy),
    });
    await source.close();
  });

  it.each<[string, string, string, string]>([
    ['a byte order mark at its beginning', '\ufeff', '', 'the secret begins with a byte order mark'],
    ['a byte order mark in the client secret', '', '\ufeff', 'clientSecret begins with a byte order mark'],
    ['white space around the client secret', '', ' ', 'clientSecret begins or ends with white space, which is sent'],
  ])('warns about %s', async (_, before, within, detail) => {
    await using world = await startWorld();
    const fields = { clientId: 'returns-client', clientSecret: `${within}${clientSecret}` };
    world.secrets.versions.set('AWSCURRENT', { versionId: 'v2', text: before + JSON.stringify(fields) });
    const check = row(await world.examine(), 'secret fields');
    expect(check).toMatchObject({ status: 'warning', detail: expect.stringContaining(detail) });
    expect(check.remedy).toMatch(/without the mark|Remove/);
  });

  it.each<[string, string | Readonly<Record<string, unknown>>, string]>([
    ['text that is not JSON', marker, 'is not a JSON object'],
    ['a list', JSON.stringify([marker]), 'is not a JSON object'],
    ['no client id', { clientId: undefined }, 'clientId is missing'],
    ['an empty client secret', { clientSecret: '' }, 'clientSecret is missing'],
    ['a client secret that is a number', { clientSecret: 7 }, 'clientSecret is not a string'],
    [
      'a lone surrogate',
      { clientSecret: `${clientSecret}\ud800` },
      'clientSecret contains a lone surrogate (half a character)',
    ],
    ['a key that is a list', { private_key: [marker] }, 'privateKey is not a string'],
    ['a URL with http', { authUrl: `http://${marker}.example` }, 'authUrl must begin with https://'],
    [
      'misspelt names',
      { clientId: undefined, clientID: marker, Cert: marker, [marker]: 1, [`id-${marker}`]: 1 },
      'clientId is missing; unknown fields: "clientID" (did you mean clientId?), "Cert" (did you mean certificate?), 2 others',
    ],
  ])('fails for a secret with %s', async (_, secret, detail) => {
    await using world = await startWorld({ secret });
    const report = await world.examine();
    expect(row(report, 'secret').status).toBe('passed');
    expect(row(report, 'secret fields')).toMatchObject({
      status: 'failed',
      detail,
      remedy: expect.stringContaining('clientId, clientSecret'),
    });
    expect(JSON.stringify(report)).not.toContain(marker);
    expect(world.idp.server.requests).toEqual([]);
  });

  it('warns about unknown fields when the required ones exist', async () => {
    await using world = await startWorld({ secret: { private_Key: marker } });
    const report = await world.examine();
    expect(report.status).toBe('warning');
    expect(row(report, 'secret fields')).toMatchObject({
      status: 'warning',
      detail: 'clientId, clientSecret; client returns-client; unknown fields: "private_Key" (did you mean privateKey?)',
    });
    expect(JSON.stringify(report)).not.toContain(marker);
  });

  it('lists the versions of the secret', async () => {
    await using world = await startWorld();
    const text = JSON.stringify({ clientId: 'returns-client', clientSecret });
    world.secrets.versions.set('AWSPREVIOUS', { versionId: 'v0', text });
    const report = await world.examine();
    expect(row(report, 'secret').detail).toBe('AWSCURRENT is version v1');
    expect(row(report, 'secret versions')).toEqual({
      check: 'secret versions',
      status: 'passed',
      detail: 'AWSPREVIOUS v0, AWSPENDING none',
    });
  });
});
