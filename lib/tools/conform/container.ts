import { randomUUID } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { CreateTableCommand, DeleteTableCommand, DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { accessVariable } from '../../runtime/configuration/access-settings.ts';
import { startContainer } from '../../runtime/container.ts';
import {
  type AccessSetting,
  accessSettingNames,
  parseServiceAccess,
  type ServiceAccess,
} from '../../runtime/service-access.ts';
import { startSecretsManager } from '../local/emulators/secrets-manager.ts';
import { openSecrets } from '../local/emulators/secrets-store.ts';
import { startEngine } from '../local/engine/engine.ts';

/*
 * The environment of the functions of an adapter, on this machine: the access to the service, its secret, and the table
 * of the journal.
 */

export type ContainerOptions = {
  readonly serviceUrl: string;
  readonly authUrl: string;
  /** The parameters of the adapter's deployment. */
  readonly parameters: Readonly<Record<string, string>>;
  /** The content of the client's secret (JSON). */
  readonly clientSecret: string;
};

export type OpenContainer = AsyncDisposable & {
  /** A folder for files of this run. */
  readonly folder: string;
};

type Variables = Readonly<Record<string, string | undefined>>;

const secretId = 'client';

const credentials = { accessKeyId: 'local', secretAccessKey: 'local' };
const region = 'eu-central-1';

/** Creates the table of the journal, and returns what deletes it: an engine may be one that runs already. */
const createJournal = async (endpoint: string, name: string): Promise<() => Promise<void>> => {
  const client = new DynamoDBClient({ endpoint, region, credentials });
  const table = { TableName: name };
  await client.send(
    new CreateTableCommand({
      ...table,
      BillingMode: 'PAY_PER_REQUEST',
      AttributeDefinitions: ['pk', 'sk'].map((attribute) => ({
        AttributeName: attribute,
        AttributeType: 'S' as const,
      })),
      KeySchema: [
        { AttributeName: 'pk', KeyType: 'HASH' },
        { AttributeName: 'sk', KeyType: 'RANGE' },
      ],
    }),
  );
  return async () => {
    await client.send(new DeleteTableCommand(table));
    client.destroy();
  };
};

/** The parameter of a setting: ServicePath of `servicePath`. */
const parameterOf = (setting: AccessSetting): string => `${setting.charAt(0).toUpperCase()}${setting.slice(1)}`;

/** The parameters that have an effect here. */
export const parameterNames: readonly string[] = accessSettingNames().map(parameterOf);

/** Returns the settings of the access with the values of their parameters; undefined for a default. */
const accessSettingsIn = (
  parameters: ContainerOptions['parameters'],
): readonly (readonly [AccessSetting, string | undefined])[] =>
  accessSettingNames().map((setting) => [setting, parameters[parameterOf(setting)]]);

/** @throws {Error} for a parameter that is invalid */
export const accessOf = (parameters: ContainerOptions['parameters']): ServiceAccess => {
  const access = parseServiceAccess(Object.fromEntries(accessSettingsIn(parameters)));
  if (access.ok) return access.value;
  throw new Error(
    access.failure.map(({ setting, error }) => `The parameter ${parameterOf(setting)} ${error}.`).join('\n'),
  );
};

/** Returns the variables of the access: those that the parameters set, and no others of this process. */
const accessVariables = (parameters: ContainerOptions['parameters']): Variables =>
  Object.fromEntries(accessSettingsIn(parameters).map(([setting, value]) => [accessVariable(setting), value]));

/** Starts a container with these variables, and returns their former values. Undefined removes a variable. */
const startWith = (variables: Variables): Variables => {
  const before = Object.fromEntries(Object.keys(variables).map((name) => [name, process.env[name]]));
  for (const [name, value] of Object.entries(variables))
    if (value === undefined) Reflect.deleteProperty(process.env, name);
    else process.env[name] = value;
  startContainer();
  return before;
};

/**
 * Opens the environment of the functions. This process has it until it is disposed.
 *
 * @throws {Error} for a parameter that is invalid
 */
export const openContainer = async (options: ContainerOptions): Promise<OpenContainer> => {
  accessOf(options.parameters);
  const folder = await mkdtemp(join(tmpdir(), 'conform-'));
  await using opened = new AsyncDisposableStack();
  opened.defer(() => rm(folder, { recursive: true, force: true }));
  const secrets = await openSecrets(join(folder, 'secrets.json'));
  await secrets.create(secretId, { secretString: options.clientSecret });
  const manager = await startSecretsManager(secrets, 0);
  opened.defer(manager.close);
  const engine = await startEngine(folder, 0);
  opened.defer(engine.close);
  const tableName = `journal-${randomUUID()}`;
  opened.defer(await createJournal(engine.url, tableName));
  const before = startWith({
    ...accessVariables(options.parameters),
    SERVICE_URL: options.serviceUrl,
    AUTH_URL: options.authUrl,
    CLIENT_SECRET_ID: secretId,
    TABLE_NAME: tableName,
    AWS_REGION: region,
    AWS_ACCESS_KEY_ID: credentials.accessKeyId,
    AWS_SECRET_ACCESS_KEY: credentials.secretAccessKey,
    AWS_ENDPOINT_URL_SECRETS_MANAGER: manager.url,
    AWS_ENDPOINT_URL_DYNAMODB: engine.url,
  });
  opened.defer(() => void startWith(before));
  const resources = opened.move();
  return { folder, [Symbol.asyncDispose]: () => resources.disposeAsync() };
};
