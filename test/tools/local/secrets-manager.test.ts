import { readFile, stat } from 'node:fs/promises';
import { join } from 'node:path';
import {
  CreateSecretCommand,
  DescribeSecretCommand,
  GetSecretValueCommand,
  PutSecretValueCommand,
  RotateSecretCommand,
  SecretsManagerClient,
  UpdateSecretVersionStageCommand,
} from '@aws-sdk/client-secrets-manager';
import { describe, expect, it, onTestFinished } from 'vitest';
import { clientSettings } from '../../../lib/tools/local/emulators/function-spec.ts';
import { createSecrets, startSecretsManager } from '../../../lib/tools/local/emulators/secrets-manager.ts';
import { openSecrets } from '../../../lib/tools/local/emulators/secrets-store.ts';
import { temporaryDirectory } from './support.ts';

const start = async (folder?: string) => {
  const file = join(folder ?? (await temporaryDirectory()), 'secrets.json');
  const secrets = await openSecrets(file);
  const calls: object[] = [];
  const { url, close } = await startSecretsManager(secrets, 0, (call) => calls.push(call));
  const client = new SecretsManagerClient({ ...clientSettings, endpoint: url, maxAttempts: 1 });
  onTestFinished(async () => {
    client.destroy();
    await close();
  });
  return {
    file,
    secrets,
    client,
    calls,
    create: async (SecretString: string) => client.send(new CreateSecretCommand({ Name: 's', SecretString })),
    put: async (SecretString: string, input: { VersionStages?: string[]; ClientRequestToken?: string } = {}) =>
      client.send(new PutSecretValueCommand({ SecretId: 's', SecretString, ...input })),
    get: async (SecretId = 's', VersionStage?: string, VersionId?: string) =>
      client.send(new GetSecretValueCommand({ SecretId, VersionStage, VersionId })),
  };
};

const token = '11111111-1111-4111-8111-111111111111';
const deployed = (properties: object) => [
  { logicalId: 'Signing', local: { ref: 'arn', attributes: { Name: 's' } }, properties: { ...properties } },
];

/** https://docs.aws.amazon.com/secretsmanager/latest/userguide/whats-in-a-secret.html */
describe('Secrets Manager', () => {
  it('finds a secret by its name, its ARN and its ARN without the random end, and reports each call', async () => {
    const { client, get, calls } = await start();
    const created = await client.send(new CreateSecretCommand({ Name: 'returns/x', SecretString: 'one' }));
    const { ARN = '', VersionId } = created;
    expect(ARN).toMatch(/^arn:aws:secretsmanager:eu-central-1:000000000000:secret:returns\/x-\w{6}$/);
    const value = { ARN, Name: 'returns/x', SecretString: 'one', VersionId, VersionStages: ['AWSCURRENT'] };
    for (const id of ['returns/x', ARN, ARN.slice(0, -7)])
      expect(await get(id)).toMatchObject({ ...value, CreatedDate: expect.any(Date) });
    expect(calls.at(-1)).toMatchObject({ action: 'GetSecretValue', status: 200 });
    expect(JSON.stringify(calls)).not.toContain('one');
  });

  it('moves AWSCURRENT to a new value and AWSPREVIOUS to the old one, and drops the third last', async () => {
    const { create, put, get } = await start();
    const { VersionId: first } = await create('one');
    await put('two');
    expect(await get('s', 'AWSPREVIOUS')).toMatchObject({ SecretString: 'one', VersionId: first });
    await put('three');
    expect(await get()).toMatchObject({ SecretString: 'three', VersionStages: ['AWSCURRENT'] });
    expect(await get('s', 'AWSPREVIOUS')).toMatchObject({ SecretString: 'two' });
    await expect(get('s', undefined, first)).rejects.toMatchObject({ name: 'ResourceNotFoundException' });
  });

  /** https://docs.aws.amazon.com/secretsmanager/latest/userguide/rotate-secrets_lambda-functions.html */
  it('rotates: AWSPENDING gets its value once, and becomes AWSCURRENT when the label moves', async () => {
    const { client, create, put, get } = await start();
    const { VersionId: first = '' } = await create('one');
    await client.send(new RotateSecretCommand({ SecretId: 's', ClientRequestToken: token }));
    await expect(get('s', 'AWSPENDING')).rejects.toMatchObject({ name: 'ResourceNotFoundException' });
    const pending = { VersionStages: ['AWSPENDING'], ClientRequestToken: token };
    for (let times = 0; times < 2; times += 1) await put('two', pending);
    await expect(put('other', pending)).rejects.toMatchObject({ name: 'ResourceExistsException' });
    expect([(await get()).SecretString, (await get('s', 'AWSPENDING')).SecretString]).toEqual(['one', 'two']);
    await expect(get('s', 'AWSCURRENT', token)).rejects.toMatchObject({ name: 'InvalidRequestException' });
    const move = { VersionStage: 'AWSCURRENT', MoveToVersionId: token, RemoveFromVersionId: first };
    await client.send(new UpdateSecretVersionStageCommand({ SecretId: 's', ...move }));
    expect((await get()).SecretString).toBe('two');
    const { VersionIdsToStages } = await client.send(new DescribeSecretCommand({ SecretId: 's' }));
    expect(VersionIdsToStages).toMatchObject({ [first]: ['AWSPREVIOUS'] });
  });

  it('returns binary values unchanged', async () => {
    const { client, get } = await start();
    await client.send(new CreateSecretCommand({ Name: 's', SecretBinary: Buffer.from([0, 255]) }));
    expect(Buffer.from((await get()).SecretBinary ?? [])).toEqual(Buffer.from([0, 255]));
  });

  it('answers 400 for a missing secret or label, and for a name in use', async () => {
    const { create, put, get, calls } = await start();
    await expect(get('nothing')).rejects.toThrow("Secrets Manager can't find the specified secret.");
    await expect(put('x')).rejects.toMatchObject({ name: 'ResourceNotFoundException' });
    await create('one');
    await expect(get('s', 'AWSPREVIOUS')).rejects.toThrow('staging label: AWSPREVIOUS');
    await expect(create('two')).rejects.toMatchObject({ name: 'ResourceExistsException' });
    expect(calls[0]).toMatchObject({ action: 'GetSecretValue', secretId: 'nothing', status: 400 });
  });
});

describe('secrets of a template', () => {
  it('are generated once, and stored in a file for their owner only', async () => {
    const folder = await temporaryDirectory();
    const before = await start(folder);
    const options = { PasswordLength: 64, ExcludePunctuation: true };
    await createSecrets(before.secrets, deployed({ GenerateSecretString: options }));
    const { SecretString } = await before.get();
    expect(SecretString).toMatch(/^[A-Za-z0-9]{64}$/);
    expect((await stat(before.file)).mode & 0o777).toBe(0o600);
    expect(await readFile(before.file, 'utf8')).toContain(SecretString);
    const after = await start(folder);
    await createSecrets(after.secrets, deployed({ GenerateSecretString: options }));
    expect(await after.get()).toMatchObject({ SecretString });
  });

  it('have the generated value as another member of a JSON object', async () => {
    const { secrets, get } = await start();
    const ring = { PasswordLength: 40, SecretStringTemplate: '{"current":"first"}', GenerateStringKey: 'first' };
    await createSecrets(secrets, deployed({ GenerateSecretString: ring }));
    expect(JSON.parse((await get()).SecretString ?? '')).toEqual({
      current: 'first',
      first: expect.stringMatching(/^[^]{40}$/),
    });
  });

  it('have no version until a value is put, where the template has none', async () => {
    const { secrets, get, put } = await start();
    await createSecrets(secrets, deployed({}));
    await expect(get()).rejects.toThrow('staging label: AWSCURRENT');
    await put('one');
    await createSecrets(secrets, deployed({}));
    expect(await get()).toMatchObject({ SecretString: 'one', VersionStages: ['AWSCURRENT'] });
  });

  it('are rejected with an unknown property', async () => {
    const { secrets } = await start();
    await expect(createSecrets(secrets, deployed({ ReplicaRegions: [] }))).rejects.toThrow(
      '/Resources/Signing/Properties/ReplicaRegions',
    );
  });
});
