import { AsyncLocalStorage } from 'node:async_hooks';
import type { PartitionKeys } from './access.ts';
import type { Deployment } from './deployment.ts';
import type { FunctionSpec } from './functions.ts';
import { permissionsOf, type Permission } from './policy.ts';

/** As whom a function calls AWS. */
export type Identity = {
  /** The function's key in serverless.yml. */
  readonly function: string;
  /** The principal as AWS names it in a refusal. */
  readonly arn: string;
  readonly permissions: readonly Permission[];
};

/** By access key: a function's is its name. */
export type Identities = ReadonlyMap<string, Identity>;

/** The functions of a deployment, each with what its role permits. */
export const identitiesOf = (deployment: Deployment, specs: readonly FunctionSpec[]): Identities => {
  const roles = new Map(deployment.ofType('AWS::IAM::Role').map((role) => [role.local.attributes['Arn'], role]));
  return new Map(
    specs.map((spec): [string, Identity] => {
      const role = roles.get(spec.role);
      if (role === undefined) throw new Error(`${spec.name}: the template has no role ${spec.role}`);
      const assumed = role.local.attributes['Arn']?.replace(':iam:', ':sts:').replace(':role/', ':assumed-role/');
      return [spec.name, { function: spec.key, arn: `${assumed}/${spec.name}`, permissions: permissionsOf(role) }];
    }),
  );
};

type Keys = readonly { readonly AttributeName: string; readonly KeyType: string }[];
type Table = {
  readonly KeySchema: Keys;
  readonly GlobalSecondaryIndexes?: readonly { readonly IndexName: string; readonly KeySchema: Keys }[];
  readonly LocalSecondaryIndexes?: readonly { readonly IndexName: string; readonly KeySchema: Keys }[];
};

const hashKey = (keys: Keys): string => keys.find(({ KeyType }) => KeyType === 'HASH')?.AttributeName ?? '';

/** The partition keys of a deployment's tables and their indexes. */
export const partitionKeysOf = (deployment: Deployment): PartitionKeys =>
  new Map(
    deployment.ofType('AWS::DynamoDB::Table').flatMap(({ local, properties }): [string, string][] => {
      const arn = local.attributes['Arn'] ?? '';
      const { KeySchema, GlobalSecondaryIndexes = [], LocalSecondaryIndexes = [] } = properties as Table;
      const indexes = [...GlobalSecondaryIndexes, ...LocalSecondaryIndexes];
      return [
        [arn, hashKey(KeySchema)],
        ...indexes.map((index): [string, string] => [`${arn}/index/${index.IndexName}`, hashKey(index.KeySchema)]),
      ];
    }),
  );

const accessKey = new AsyncLocalStorage<string>();

/** Runs what a function does, and what that leaves running, under the function's access key. */
export const asFunction = <Result>({ name }: FunctionSpec, run: () => Result): Result => accessKey.run(name, run);

/**
 * Lets each function see its own access key in process.env, where Lambda puts it: all functions of a way share a
 * process, and a client of the SDK keeps the key that it finds at its first call.
 */
export const shareEnvironment = (): void => {
  process.env = new Proxy(process.env, {
    get: (variables, name) =>
      (name === 'AWS_ACCESS_KEY_ID' ? accessKey.getStore() : undefined) ?? (Reflect.get(variables, name) as unknown),
  });
};
