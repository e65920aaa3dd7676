import { GetSecretValueCommand, PutSecretValueCommand, SecretsManagerClient } from '@aws-sdk/client-secrets-manager';
import { beforeEach, describe, expect, it, onTestFinished, vi } from 'vitest';
import * as operations from '../../../lib/contract/operations.ts';
import { clientSettings } from '../../../lib/tools/local/emulators/function-spec.ts';
import { functionSpecs } from '../../../lib/tools/local/emulators/functions.ts';
import { startGuard } from '../../../lib/tools/local/emulators/guard.ts';
import { identitiesOf } from '../../../lib/tools/local/emulators/identities.ts';
import { createSecrets, startSecretsManager } from '../../../lib/tools/local/emulators/secrets-manager.ts';
import { openSecrets } from '../../../lib/tools/local/emulators/secrets-store.ts';
import { temporaryDirectory } from '../local/support.ts';
import { identities, packaged } from '../../support/roles.ts';
import { packagedTemplate } from '../../support/bundles.ts';
import { slowLimits } from '../../support/slow-limits.ts';

const tokens = ['SharedReadToken', 'SharedWriteToken', 'SharedAdminToken'] as const;
const key = 'arn:aws:kms:eu-central-1:000000000000:key/1';

/** Starts the secrets of the tokens, behind the guard of the packaged roles. */
const start = async () => {
  // The client of the SDK ends an attempt after a few seconds.
  slowLimits();
  const secrets = await openSecrets(`${await temporaryDirectory()}/secrets.json`);
  const upstream = await startSecretsManager(secrets, 0);
  const deployment = await packaged('connected');
  const deployed = deployment.ofType('AWS::SecretsManager::Secret');
  await createSecrets(secrets, deployed);
  const guard = await startGuard({
    upstream: { dynamodb: '', sqs: '', secretsManager: upstream.url, eventBridge: '', ses: '' },
    identities: identitiesOf(deployment, functionSpecs(deployment)),
    partitionKeys: new Map(),
  });
  onTestFinished(async () => {
    await guard.close();
    await upstream.close();
  });
  const ids = new Map(deployed.map(({ logicalId, local }) => [logicalId, local.ref]));
  const clients = new Map<string, SecretsManagerClient>();
  const as = (name: string) => {
    const client =
      clients.get(name) ??
      new SecretsManagerClient({
        ...clientSettings,
        endpoint: guard.url,
        maxAttempts: 1,
        credentials: { accessKeyId: `returns-dev-${name}`, secretAccessKey: 'local' },
      });
    clients.set(name, client);
    return client;
  };
  const nameOf = (error: unknown) => (error instanceof Error ? error.name : String(error));
  return {
    get: (name: string, token: string) =>
      as(name)
        .send(new GetSecretValueCommand({ SecretId: ids.get(token) }))
        .then(({ SecretString }) => SecretString, nameOf),
    put: (name: string, token: string) =>
      as(name)
        .send(new PutSecretValueCommand({ SecretId: ids.get(token), SecretString: 'put' }))
        .then(() => 'put', nameOf),
  };
};

const denied = 'AccessDeniedException';

// Rejected calls are written to the log of their mode.
beforeEach(() => void vi.spyOn(console, 'error').mockImplementation(() => undefined));

/** Returns the token secrets that a function may read. */
const readable = (name: string): readonly string[] => {
  const operation = Object.values(operations).find((one) => one.name === name);
  if (name === 'process') return tokens;
  if (['expireReturns', 'remindRefunds'].includes(name)) return ['SharedReadToken', 'SharedWriteToken'];
  if (name === 'dailySummary') return ['SharedAdminToken'];
  if (name === 'verifyChains') return ['SharedReadToken'];
  if (operation === undefined || name === 'openapi' || /^\/(inbox|dead-letters)/.test(operation.path)) return [];
  // Each container obtains its own token for a search.
  if (operation.scope === 'returns:search') return [];
  if (operation.scope === 'returns:admin') return ['SharedAdminToken'];
  return operation.scope === 'returns:write' ? ['SharedWriteToken', 'SharedAdminToken'] : ['SharedReadToken'];
};

describe('shared tokens', () => {
  it('are written by the refresher only, and read by functions with their scopes', async () => {
    const { get, put } = await start();
    for (const token of tokens) expect(await put('refreshToken', token)).toBe('put');
    for (const { function: name } of await identities('connected')) {
      if (name === 'refreshToken') continue;
      const may = readable(name);
      const read = await Promise.all(tokens.map((token) => get(name, token)));
      expect({ name, read }).toEqual({ name, read: tokens.map((token) => (may.includes(token) ? 'put' : denied)) });
      const written = await Promise.all(tokens.map((token) => put(name, token)));
      expect({ name, written }).toEqual({ name, written: tokens.map(() => denied) });
    }
  });

  it('leave no resource, grant or address in the template when they are off', async () => {
    const off = await packaged('connected', { SharedToken: 'off', SharedTokenKmsKeyArn: key, WithdrawPage: 'off' });
    expect(off.ofType('AWS::SecretsManager::Secret')).toEqual([]);
    const schedules = off.ofType('AWS::Scheduler::Schedule').map(({ logicalId }) => logicalId);
    expect(schedules).toContain('SweepInboxSchedule');
    expect(schedules).not.toContain('RefreshTokenSchedule');
    const specs = functionSpecs(off);
    expect(specs.map((spec) => spec.key)).not.toContain('refreshToken');
    const granted = [...identitiesOf(off, specs).values()].flatMap(({ permissions }) => permissions);
    expect(granted.filter(({ resource }) => /Shared|kms/.test(resource))).toEqual([]);
    const addresses = specs.flatMap(({ environment }) =>
      Object.entries(environment).filter(([name]) => name.startsWith('SHARED_')),
    );
    expect(new Set(addresses.map(([, value]) => value))).toEqual(new Set(['']));
  });

  it('are encrypted with the configured key, which only their users may use', async () => {
    const own = await packaged('connected', { SharedTokenKmsKeyArn: key, WithdrawPage: 'off' });
    const keys = own.ofType('AWS::SecretsManager::Secret').map(({ properties }) => properties['KmsKeyId']);
    expect(keys).toEqual([key, key, key]);
    const users = [...identitiesOf(own, functionSpecs(own)).values()].map((one) => [
      one.function,
      one.permissions.filter(({ resource }) => resource === key).map(({ action }) => action),
    ]);
    const expected = users.map(([name]) => {
      if (name === 'refreshToken') return [name, ['kms:Decrypt', 'kms:GenerateDataKey']];
      return [name, readable(String(name)).length > 0 ? ['kms:Decrypt'] : []];
    });
    expect(users).toEqual(expected);
    const usual = (await packaged('connected')).ofType('AWS::SecretsManager::Secret');
    expect(usual.filter(({ properties }) => 'KmsKeyId' in properties)).toEqual([]);
  });

  it('are referenced only under a condition, so that CloudFormation accepts the template without them', async () => {
    const { Resources } = await packagedTemplate('connected');
    const conditional = Object.entries(Resources).filter(([, { Condition }]) => Condition !== undefined);
    const names = conditional.map(([name]) => name);
    expect(names).toEqual(expect.arrayContaining([...tokens, 'RefreshTokenLambdaFunction', 'RefreshTokenLogGroup']));
    const naming = Object.entries(Resources).filter(
      ([, resource]) =>
        resource.Condition === undefined && names.some((name) => unconditional(resource).includes(`"${name}"`)),
    );
    expect(naming.map(([name]) => name)).toEqual([]);
  });
});

/** Returns a resource as text, without its conditional values. */
const unconditional = (resource: object): string =>
  JSON.stringify(resource, (name, value: unknown) => (name === 'Fn::If' ? undefined : value));
