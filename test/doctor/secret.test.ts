import { SecretsManagerClient } from '@aws-sdk/client-secrets-manager';
import { describe, expect, it } from 'vitest';
import { examine } from '../../lib/doctor/examine.ts';
import { systemClock } from '../../lib/net/clock.ts';
import { createSecretSource } from '../../lib/secrets/source.ts';
import type { Answer } from '../support/http-server.ts';
import { clientSecret, marker, row, startWorld, withStatus } from './harness.ts';

const refusal = (type: string, message = ''): Answer => ({
  status: 400,
  headers: { 'content-type': 'application/x-amz-json-1.1' },
  body: JSON.stringify({ __type: type, message }),
});

describe('the doctor finds of the secret', () => {
  it.each<[string, Answer, string, string]>([
    [
      'that reading it is denied',
      refusal('AccessDeniedException', 'User is not authorized'),
      'cannot be read: AccessDeniedException',
      'secretsmanager:GetSecretValue',
    ],
    [
      'that its key is denied',
      refusal('AccessDeniedException', 'Access to KMS is not allowed'),
      'cannot be read: access to the key that it is encrypted with is denied',
      'kms:Decrypt',
    ],
    [
      'that its key cannot be used',
      refusal('DecryptionFailure'),
      'cannot be read: DecryptionFailure',
      'disabled or pending deletion',
    ],
    [
      'that there is none',
      refusal('ResourceNotFoundException'),
      'cannot be read: ResourceNotFoundException',
      'this account and region',
    ],
    [
      'that it is being deleted',
      refusal('InvalidRequestException'),
      'cannot be read: InvalidRequestException',
      'restore it',
    ],
    ['that the connection breaks', 'reset', 'cannot be read: ECONNRESET', 'VPC endpoint'],
    ['that nothing answers', 'hang', 'cannot be read: no answer in time', 'VPC endpoint'],
  ])('%s', async (_, fault, detail, remedy) => {
    await using world = await startWorld();
    world.secrets.fault = fault;
    const report = await world.examine();
    expect(row(report, 'secret')).toMatchObject({
      status: 'failed',
      detail,
      remedy: expect.stringContaining(remedy),
    });
    expect(withStatus(report, 'failed')).toEqual(['secret']);
    expect(row(report, 'token').detail).toBe('the secret does not tell what is needed');
    expect([world.idp.server.requests.length, world.api.requests.length]).toEqual([0, 0]);
  });

  it.each<[string, ConstructorParameters<typeof SecretsManagerClient>[0], string]>([
    ['no Secrets Manager', { endpoint: 'http://127.0.0.1:1' }, 'ECONNREFUSED'],
    ['no name of it', { endpoint: 'https://secrets.invalid' }, 'ENOTFOUND'],
  ])('%s', async (_, given, code) => {
    const credentials = { accessKeyId: 'local', secretAccessKey: 'local' };
    const client = new SecretsManagerClient({ region: 'eu-central-1', credentials, maxAttempts: 1, ...given });
    const report = await examine({
      settings: { serviceUrl: 'http://127.0.0.1:1', authUrl: 'http://127.0.0.1:1', clientSecretId: 'id' },
      source: createSecretSource({ client, clock: systemClock, random: () => 0.5 }),
      limitMs: 20_000,
      clock: systemClock,
      traceId: '0'.repeat(31) + '1',
    });
    expect(row(report, 'secret').detail).toBe(`cannot be read: ${code}`);
  });

  it.each<[string, string | Readonly<Record<string, unknown>>, string]>([
    ['no JSON', marker, 'is no JSON object'],
    ['a list', JSON.stringify([marker]), 'is no JSON object'],
    ['no client id', { clientId: undefined }, 'clientId is missing'],
    ['an empty client secret', { clientSecret: '' }, 'clientSecret is missing'],
    ['a client secret that is a number', { clientSecret: 7 }, 'clientSecret is not text'],
    ['a key that is a list', { private_key: [marker] }, 'privateKey is not text'],
    ['an address in clear', { authUrl: `http://${marker}.example` }, 'authUrl must begin with https://'],
    [
      'misspelt names',
      { clientId: undefined, clientID: marker, Cert: marker, [marker]: 1, [`id-${marker}`]: 1 },
      'clientId is missing; nothing reads "clientID" (is clientId meant?), "Cert" (is certificate meant?), 2 others',
    ],
  ])('%s', async (_, secret, detail) => {
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

  it('what nothing reads, though all that is needed is there', async () => {
    await using world = await startWorld({ secret: { private_Key: marker } });
    const report = await world.examine();
    expect(report.status).toBe('warning');
    expect(row(report, 'secret fields')).toMatchObject({
      status: 'warning',
      detail: 'clientId, clientSecret; client returns-client; nothing reads "private_Key" (is privateKey meant?)',
    });
    expect(JSON.stringify(report)).not.toContain(marker);
  });

  it('which versions there are', async () => {
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
