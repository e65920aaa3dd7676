import { readFile, stat } from 'node:fs/promises';
import { join } from 'node:path';
import {
  CreateSecretCommand,
  GetSecretValueCommand,
  InvalidRequestException,
  PutSecretValueCommand,
  ResourceExistsException,
  ResourceNotFoundException,
  SecretsManagerClient,
} from '@aws-sdk/client-secrets-manager';
import { describe, expect, onTestFinished, test } from 'vitest';
import { clientSettings } from '../../lib/local/emulators/function-spec.ts';
import { createSecrets, startSecretsManager } from '../../lib/local/emulators/secrets-manager.ts';
import { openSecrets } from '../../lib/local/emulators/secrets-store.ts';
import type { SecretsCalled } from '../../lib/local/events.ts';
import { temporaryDirectory } from './support.ts';

const start = async (file?: string) => {
  const secretsFile = file ?? join(await temporaryDirectory(), 'secrets.json');
  const secrets = await openSecrets(secretsFile);
  const calls: Omit<SecretsCalled, 'type'>[] = [];
  const server = await startSecretsManager(secrets, 0, (call) => calls.push(call));
  const client = new SecretsManagerClient({ ...clientSettings, endpoint: server.url, maxAttempts: 1 });
  onTestFinished(async () => {
    client.destroy();
    await server.close();
  });
  const get = async (SecretId: string, VersionStage?: string, VersionId?: string) =>
    client.send(new GetSecretValueCommand({ SecretId, VersionStage, VersionId }));
  return { file: secretsFile, secrets, client, calls, get, server };
};

describe('Secrets Manager emulator', () => {
  test('reads a secret by name and by ARN', async () => {
    const { client, get, calls } = await start();
    const { ARN = '', VersionId } = await client.send(
      new CreateSecretCommand({ Name: 'returns/x', SecretString: 'one' }),
    );
    expect(ARN).toMatch(/^arn:aws:secretsmanager:eu-central-1:000000000000:secret:returns\/x-\w{6}$/);
    for (const id of ['returns/x', ARN, ARN.slice(0, -7)]) {
      expect(await get(id)).toMatchObject({
        ARN,
        Name: 'returns/x',
        SecretString: 'one',
        VersionId,
        VersionStages: ['AWSCURRENT'],
        CreatedDate: expect.any(Date),
      });
    }
    expect(calls.at(-1)).toMatchObject({ action: 'GetSecretValue', status: 200 });
    expect(JSON.stringify(calls)).not.toContain('one');
  });

  test('moves AWSCURRENT to a new value and AWSPREVIOUS to the old one, and drops the third last', async () => {
    const { client, get } = await start();
    const { VersionId: first } = await client.send(new CreateSecretCommand({ Name: 's', SecretString: 'one' }));
    await client.send(new PutSecretValueCommand({ SecretId: 's', SecretString: 'two' }));
    expect(await get('s')).toMatchObject({ SecretString: 'two', VersionStages: ['AWSCURRENT'] });
    expect(await get('s', 'AWSPREVIOUS')).toMatchObject({ SecretString: 'one', VersionId: first });
    await client.send(new PutSecretValueCommand({ SecretId: 's', SecretString: 'three' }));
    expect(await get('s', 'AWSPREVIOUS')).toMatchObject({ SecretString: 'two' });
    await expect(get('s', undefined, first)).rejects.toThrow(ResourceNotFoundException);
  });

  test('stores a pending value next to the current one', async () => {
    const { client, get } = await start();
    await client.send(new CreateSecretCommand({ Name: 's', SecretString: 'one' }));
    const pending = {
      SecretId: 's',
      SecretString: 'two',
      VersionStages: ['AWSPENDING'],
      ClientRequestToken: '11111111-1111-4111-8111-111111111111',
    };
    await client.send(new PutSecretValueCommand(pending));
    expect(await get('s')).toMatchObject({ SecretString: 'one' });
    expect(await get('s', 'AWSPENDING')).toMatchObject({ SecretString: 'two', VersionId: pending.ClientRequestToken });
    await expect(client.send(new PutSecretValueCommand(pending))).resolves.toMatchObject({
      VersionStages: ['AWSPENDING'],
    });
    await expect(client.send(new PutSecretValueCommand({ ...pending, SecretString: 'other' }))).rejects.toThrow(
      ResourceExistsException,
    );
    await expect(get('s', 'AWSCURRENT', pending.ClientRequestToken)).rejects.toThrow(InvalidRequestException);
  });

  test('returns binary values unchanged', async () => {
    const { client, get } = await start();
    await client.send(new CreateSecretCommand({ Name: 'b', SecretBinary: Buffer.from([0, 255]) }));
    const { SecretBinary } = await get('b');
    expect(Buffer.from(SecretBinary ?? [])).toEqual(Buffer.from([0, 255]));
  });

  test('refuses a missing secret, and a duplicate one', async () => {
    const { client, get, calls, server } = await start();
    await expect(get('nothing')).rejects.toThrow("Secrets Manager can't find the specified secret.");
    await expect(client.send(new PutSecretValueCommand({ SecretId: 'nothing', SecretString: 'x' }))).rejects.toThrow(
      ResourceNotFoundException,
    );
    await client.send(new CreateSecretCommand({ Name: 's', SecretString: 'one' }));
    await expect(get('s', 'AWSPREVIOUS')).rejects.toThrow('staging label: AWSPREVIOUS');
    await expect(client.send(new CreateSecretCommand({ Name: 's', SecretString: 'two' }))).rejects.toThrow(
      ResourceExistsException,
    );
    expect(calls[0]).toMatchObject({ action: 'GetSecretValue', secretId: 'nothing', status: 400 });
    const unknown = await fetch(server.url, {
      method: 'POST',
      headers: { 'x-amz-target': 'secretsmanager.DeleteSecret' },
      body: '{}',
    });
    expect({ status: unknown.status, body: await unknown.json() }).toMatchObject({
      status: 400,
      body: { __type: 'UnknownOperationException' },
    });
  });

  const generated = {
    logicalId: 'Signing',
    local: { ref: 'arn', attributes: { Name: 'returns-standalone-Signing' } },
    properties: { Description: 'signs', GenerateSecretString: { PasswordLength: 64, ExcludePunctuation: true } },
  };

  test('generates a secret of the template once, and stores it in a file for its owner only', async () => {
    const { file, secrets, get } = await start();
    await createSecrets(secrets, [generated]);
    const { SecretString } = await get('returns-standalone-Signing');
    expect(SecretString).toMatch(/^[A-Za-z0-9]{64}$/);
    expect((await stat(file)).mode & 0o777).toBe(0o600);
    expect(await readFile(file, 'utf8')).toContain(SecretString);

    const again = await start(file);
    await createSecrets(again.secrets, [generated]);
    expect(await again.get('returns-standalone-Signing')).toMatchObject({ SecretString });
  });

  test('adds the generated value to the JSON object of the template', async () => {
    const { secrets, get } = await start();
    const ring = { PasswordLength: 40, SecretStringTemplate: '{"current":"first"}', GenerateStringKey: 'first' };
    await createSecrets(secrets, [{ ...generated, properties: { GenerateSecretString: ring } }]);
    const { SecretString = '' } = await get('returns-standalone-Signing');
    const found: unknown = JSON.parse(SecretString);
    expect(found).toEqual({ current: 'first', first: expect.stringMatching(/^[^]{40}$/) });
    const { GenerateStringKey: _, ...half } = ring;
    const broken = {
      ...generated,
      local: { ref: 'b', attributes: { Name: 'b' } },
      properties: { GenerateSecretString: half },
    };
    await expect(createSecrets(secrets, [broken])).rejects.toThrow('go together');
  });

  test('leaves a secret without a version until one is put, where the template has no value', async () => {
    const { client, secrets, get } = await start();
    const empty = { ...generated, properties: { Description: 'empty' } };
    await createSecrets(secrets, [empty]);
    const id = 'returns-standalone-Signing';
    await expect(get(id)).rejects.toThrow('staging label: AWSCURRENT');
    await client.send(new PutSecretValueCommand({ SecretId: id, SecretString: 'one' }));
    await createSecrets(secrets, [empty]);
    expect(await get(id)).toMatchObject({ SecretString: 'one', VersionStages: ['AWSCURRENT'] });
  });

  test('refuses an unknown property of a secret', async () => {
    const { secrets } = await start();
    const strange = { ...generated, properties: { ReplicaRegions: [] } };
    await expect(createSecrets(secrets, [strange])).rejects.toThrow('/Resources/Signing/Properties/ReplicaRegions');
  });
});
