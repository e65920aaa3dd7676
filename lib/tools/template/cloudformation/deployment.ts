import { sha256 } from '../../../runtime/hash.ts';
import {
  accountId,
  holds,
  region,
  resolve,
  type LocalResource,
  type Resource,
  type Scope,
  type Template,
} from './template.ts';

/** A resource of the local template, with resolved intrinsics. */
export type Deployed = {
  readonly logicalId: string;
  readonly local: LocalResource;
  readonly properties: Readonly<Record<string, unknown>>;
};

/** The template of one mode, deployed to this machine. */
export type Deployment = {
  /** Returns the resources of one type, in the order of the template. */
  readonly ofType: (type: string) => readonly Deployed[];
  /** Returns existing tables that the parameter ExistingTable names, with the properties of the template's table. */
  readonly adoptedTables: () => readonly Deployed[];
};

export type DeploymentOptions = {
  readonly mode: string;
  readonly parameters: Readonly<Record<string, string>>;
  /** The origin of the SQS emulator, for queue URLs. */
  readonly sqs: string;
};

/** The only stage of a local stack, which the function names contain. */
const localStage = 'dev';

type NamingOptions = DeploymentOptions & Pick<Scope, 'template'>;

type Naming = (logicalId: string, resource: Resource, options: NamingOptions) => LocalResource;

const arn = (service: string, rest: string, scope = `${region}:${accountId}`) => `arn:aws:${service}:${scope}:${rest}`;

/** Returns a generated name. It contains the mode, because both modes share the emulators. */
const generatedName = (logicalId: string, { mode }: DeploymentOptions) => `returns-${mode}-${logicalId}`;

/** Resolves the name of a resource, which may contain parameters, but no other resource. */
const nameIn = (resource: Resource, property: string, options: NamingOptions): string | undefined => {
  const name = resolve(resource.Properties?.[property], `/${property}`, { ...options, resources: {} });
  return typeof name === 'string' ? name : undefined;
};

const queue: Naming = (logicalId, _, options) => {
  const name = generatedName(logicalId, options);
  const url = `${options.sqs}/${accountId}/${name}`;
  return { ref: url, attributes: { Arn: arn('sqs', name), QueueName: name, QueueUrl: url } };
};

/**
 * Returns the ARN of a secret. AWS adds six random characters; here they follow from the name, so that a restart finds
 * the secret.
 */
export const secretArn = (name: string): string =>
  arn('secretsmanager', `secret:${name}-${sha256(name, 'base64').replaceAll(/[+/=]/g, '').slice(0, 6)}`);

const secret: Naming = (logicalId, resource, options) => {
  const name = nameIn(resource, 'Name', options) ?? generatedName(logicalId, options);
  return { ref: secretArn(name), attributes: { Id: secretArn(name), Name: name } };
};

/** Returns the name of the function that a version or an alias refers to. */
const functionNameOf = (logicalId: string, { Properties = {} }: Resource, options: NamingOptions): string => {
  const { Ref } = (Properties['FunctionName'] ?? {}) as { readonly Ref?: string };
  const target = options.template.Resources[Ref ?? ''];
  if (Ref === undefined || target === undefined)
    throw new Error(`/Resources/${logicalId}/Properties/FunctionName: must refer to a function`);
  return nameIn(target, 'FunctionName', options) ?? Ref;
};

const functionArn = (name: string): string => arn('lambda', `function:${name}`);

export const tableArn = (name: string): string => arn('dynamodb', `table/${name}`);

/**
 * Returns a constant ARN for a table's stream. The ARN of the engine contains the time of creation and another region.
 */
export const streamArn = (table: string): string => `${tableArn(table)}/stream/2026-01-01T00:00:00.000`;

export const busArn = (name: string): string => arn('events', `event-bus/${name}`);

const tableType = 'AWS::DynamoDB::Table';

const tableNamed = (name: string): LocalResource => ({
  ref: name,
  attributes: { Arn: tableArn(name), StreamArn: streamArn(name) },
});

const namings: Readonly<Record<string, Naming>> = {
  [tableType]: (logicalId, _, options) => tableNamed(generatedName(logicalId, options)),
  'AWS::S3::Bucket': (logicalId, _, options) => {
    const name = generatedName(logicalId, options).toLowerCase();
    return { ref: name, attributes: { Arn: arn('s3', name, ':') } };
  },
  'AWS::SQS::Queue': queue,
  'AWS::SecretsManager::Secret': secret,
  'AWS::Lambda::Function': (logicalId, resource, options) => {
    const name = nameIn(resource, 'FunctionName', options) ?? logicalId;
    return { ref: name, attributes: { Arn: functionArn(name) } };
  },
  // Each function has one version here: the code on this machine.
  'AWS::Lambda::Version': (logicalId, resource, options) => ({
    ref: `${functionArn(functionNameOf(logicalId, resource, options))}:1`,
    attributes: { Version: '1' },
  }),
  'AWS::Lambda::Alias': (logicalId, resource, options) => {
    const alias = nameIn(resource, 'Name', options) ?? logicalId;
    return { ref: `${functionArn(functionNameOf(logicalId, resource, options))}:${alias}`, attributes: {} };
  },
  'AWS::IAM::Role': (logicalId) => ({
    ref: logicalId,
    attributes: { Arn: arn('iam', `role/${logicalId}`, `:${accountId}`) },
  }),
  // Lambda alone uses these policies, for networks.
  'AWS::IAM::ManagedPolicy': (logicalId) => ({
    ref: arn('iam', `policy/${logicalId}`, `:${accountId}`),
    attributes: {},
  }),
  'AWS::Logs::LogGroup': (logicalId, resource, options) => {
    const name = nameIn(resource, 'LogGroupName', options) ?? logicalId;
    return { ref: name, attributes: { Arn: arn('logs', `log-group:${name}:*`) } };
  },
  'AWS::ApiGatewayV2::Api': (logicalId) => ({
    ref: logicalId.toLowerCase(),
    attributes: { ApiId: logicalId.toLowerCase() },
  }),
  'AWS::ApiGatewayV2::Stage': () => ({ ref: '$default', attributes: {} }),
  'AWS::Events::EventBus': (logicalId, resource, options) => {
    const name = nameIn(resource, 'Name', options) ?? generatedName(logicalId, options);
    return { ref: name, attributes: { Arn: busArn(name), Name: name } };
  },
  'AWS::Events::Rule': (logicalId, resource, options) => {
    const name = nameIn(resource, 'Name', options) ?? generatedName(logicalId, options);
    return { ref: name, attributes: { Arn: arn('events', `rule/${name}`) } };
  },
  'AWS::SES::ConfigurationSet': (logicalId, resource, options) => ({
    ref: nameIn(resource, 'Name', options) ?? generatedName(logicalId, options),
    attributes: {},
  }),
  'AWS::SES::ConfigurationSetEventDestination': (logicalId) => ({ ref: logicalId, attributes: {} }),
  'AWS::Scheduler::Schedule': (logicalId, resource, options) => {
    const name = nameIn(resource, 'Name', options) ?? generatedName(logicalId, options);
    return { ref: name, attributes: { Arn: arn('scheduler', `schedule/default/${name}`) } };
  },
  'AWS::Lambda::EventInvokeConfig': (logicalId) => ({ ref: logicalId, attributes: {} }),
  'AWS::Lambda::EventSourceMapping': (logicalId) => ({ ref: logicalId, attributes: { Id: logicalId } }),
};

/** Returns the tables that the functions use: those of the template, or the existing one. */
export const tablesOf = ({ ofType, adoptedTables }: Deployment): readonly Deployed[] => [
  ...ofType(tableType),
  ...adoptedTables(),
];

/** Names every resource of the template that the local stack supports, and resolves the rest on demand. */
export const deploy = (template: Template, options: DeploymentOptions): Deployment => {
  const parameters = { Stage: localStage, ...options.parameters };
  const isThere = (logicalId: string, { Condition }: Resource) =>
    Condition === undefined || holds(Condition, `/Resources/${logicalId}/Condition`, { template, parameters });
  const known = Object.entries(template.Resources).flatMap(([logicalId, resource]): [string, LocalResource][] => {
    const naming = namings[resource.Type];
    if (naming === undefined || !isThere(logicalId, resource)) return [];
    return [[logicalId, naming(logicalId, resource, { ...options, template, parameters })]];
  });
  const resources = Object.fromEntries(known);
  const scope: Scope = { template, parameters, resources };
  const resolved = new Map<string, Deployed>();
  const deployed = ([logicalId, local]: readonly [string, LocalResource]): Deployed => {
    const path = `/Resources/${logicalId}/Properties`;
    const found = resolved.get(logicalId) ?? {
      logicalId,
      local,
      // An object of properties resolves to an object of properties.
      properties: resolve(template.Resources[logicalId]?.Properties ?? {}, path, scope) as Record<string, unknown>,
    };
    resolved.set(logicalId, found);
    return found;
  };
  const ofType = (type: string): readonly Deployed[] =>
    known.filter(([logicalId]) => template.Resources[logicalId]?.Type === type).map(deployed);
  const adoptedTables = (): readonly Deployed[] => {
    const { ExistingTable: name = '' } = options.parameters;
    return Object.entries(template.Resources)
      .filter(([logicalId, resource]) => name !== '' && resource.Type === tableType && !isThere(logicalId, resource))
      .map(([logicalId]) => deployed([logicalId, tableNamed(name)]));
  };
  return { ofType, adoptedTables };
};
