import { readFile, stat } from 'node:fs/promises';
import { join } from 'node:path';
import {
  CreateSecretCommand,
  GetSecretValueCommand,
  PutSecretValueCommand,
  SecretsManagerClient,
} from '@aws-sdk/client-secrets-manager';
import { describe, expect, it, onTestFinished } from 'vitest';
import { clientSettings } from '../../../lib/tools/local/emulators/function-spec.ts';
import { createSecrets, startSecretsManager } from '../../../lib/tools/local/emulators/secrets-manager.ts';
import { openSecrets } from '../../../lib/tools/local/emulators/secrets-store.ts';
import { temporaryDirectory } from './support.ts';

const token = '11111111-1111-4111-8111-111111111111';

const start = async (folder?: string) => {
  const file = join(folder ?? (await temporaryDirectory()), 'secrets.json');
  const secrets = await openSecrets(file);
  const calls: object[] = [];
  const { url, close } = await startSecretsManager(secrets, 0, (call) => calls.push(call));
  onTestFinished(close);
  const client = new SecretsManagerClient({ ...clientSettings, endpoint: url, maxAttempts: 1 });
  onTestFinished(() => client.destroy());
  return {
    secrets,
    calls,
    file,
    generate: async (properties: Readonly<Record<string, unknown>>) =>
      createSecrets(secrets, [{ logicalId: 'Signing', local: { ref: 'arn', attributes: { Name: 's' } }, properties }]),
    create: async (value: object, Name = 's') => client.send(new CreateSecretCommand({ Name, ...value })),
    put: async (SecretString: string, ClientRequestToken?: string) =>
      client.send(new PutSecretValueCommand({ SecretId: 's', SecretString, ClientRequestToken })),
    get: async (SecretId = 's', VersionStage?: string, VersionId?: string) =>
      client.send(new GetSecretValueCommand({ SecretId, VersionStage, VersionId })),
  };
};

/** https://docs.aws.amazon.com/secretsmanager/latest/userguide/whats-in-a-secret.html */
describe('Secrets Manager', () => {
  it('finds a secret by its name, its ARN and its ARN without the random end, and reports each call', async () => {
    const { create, get, calls } = await start();
    const { ARN = '', VersionId } = await create({ SecretString: 'one' }, 'returns/x');
    expect(ARN).toMatch(/^arn:aws:secretsmanager:eu-central-1:000000000000:secret:returns\/x-\w{6}$/);
    const value = { ARN, Name: 'returns/x', SecretString: 'one', VersionId, VersionStages: ['AWSCURRENT'] };
    for (const id of ['returns/x', ARN, ARN.slice(0, -7)])
      expect(await get(id)).toMatchObject({ ...value, CreatedDate: expect.any(Date) });
    await create({ SecretBinary: Buffer.from([0, 255]) });
    expect(Buffer.from((await get()).SecretBinary ?? [])).toEqual(Buffer.from([0, 255]));
    expect(calls.at(-1)).toMatchObject({ action: 'GetSecretValue', status: 200 });
    expect(JSON.stringify(calls)).not.toContain('one');
  });

  // rotate-client-secret.test.ts and rotate-keys.test.ts have the labels of a rotation.
  it('moves AWSCURRENT to a new value and AWSPREVIOUS to the old one, drops the third last, and is removed with both', async () => {
    const { secrets, file, create, put, get } = await start();
    const { VersionId: first } = await create({ SecretString: 'one' });
    for (const text of ['two', 'three']) await put(text);
    expect(await get()).toMatchObject({ SecretString: 'three', VersionStages: ['AWSCURRENT'] });
    expect(await get('s', 'AWSPREVIOUS')).toMatchObject({ SecretString: 'two' });
    await expect(get('s', undefined, first)).rejects.toMatchObject({ name: 'ResourceNotFoundException' });
    await secrets.remove('s');
    expect(await readFile(file, 'utf8')).not.toMatch(/two|three/);
    await create({ SecretString: 'four' });
    await expect(get('s', 'AWSPREVIOUS')).rejects.toThrow('staging label: AWSPREVIOUS');
  });

  it('answers 400 for a missing secret, label or version of a label, and for a name or a version in use', async () => {
    const { create, put, get, calls } = await start();
    await expect(get('nothing')).rejects.toThrow("Secrets Manager can't find the specified secret.");
    await expect(put('x')).rejects.toMatchObject({ name: 'ResourceNotFoundException' });
    const { VersionId } = await create({ SecretString: 'one' });
    await expect(get('s', 'AWSPREVIOUS')).rejects.toThrow('staging label: AWSPREVIOUS');
    await expect(create({ SecretString: 'two' })).rejects.toMatchObject({ name: 'ResourceExistsException' });
    // A version is stored once: a repeat of its token has the same content.
    for (let times = 0; times < 2; times += 1) await put('two', token);
    await expect(put('other', token)).rejects.toMatchObject({ name: 'ResourceExistsException' });
    await expect(get('s', 'AWSCURRENT', VersionId)).rejects.toMatchObject({ name: 'InvalidRequestException' });
    expect(calls[0]).toMatchObject({ action: 'GetSecretValue', secretId: 'nothing', status: 400 });
  });
});

describe('secrets of a template', () => {
  it('are generated once, and stored in a file for their owner only', async () => {
    const folder = await temporaryDirectory();
    const options = { PasswordLength: 64, ExcludePunctuation: true };
    const values: (string | undefined)[] = [];
    for (const { generate, get, file } of [await start(folder), await start(folder)]) {
      await generate({ GenerateSecretString: options });
      values.push((await get()).SecretString);
      expect((await stat(file)).mode & 0o777).toBe(0o600);
    }
    expect(values).toEqual([values[0], expect.stringMatching(/^[A-Za-z0-9]{64}$/)]);
  });

  it('have the generated value as another member of a JSON object', async () => {
    const { generate, get } = await start();
    const ring = { PasswordLength: 40, SecretStringTemplate: '{"current":"first"}', GenerateStringKey: 'first' };
    await generate({ GenerateSecretString: ring });
    expect(JSON.parse((await get()).SecretString ?? '')).toEqual({
      current: 'first',
      first: expect.stringMatching(/^[^]{40}$/),
    });
  });

  it('have no version until a value is put where the template has none, and no unknown property', async () => {
    const { generate, get, put } = await start();
    await generate({});
    await expect(get()).rejects.toThrow('staging label: AWSCURRENT');
    await put('one');
    await generate({});
    expect(await get()).toMatchObject({ SecretString: 'one', VersionStages: ['AWSCURRENT'] });
    await expect(generate({ ReplicaRegions: [] })).rejects.toThrow('/Resources/Signing/Properties/ReplicaRegions');
  });
});
