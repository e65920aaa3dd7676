import { AsyncLocalStorage } from 'node:async_hooks';
import type { PartitionKeys } from './access.ts';
import { tablesOf, type Deployment } from '../../template/cloudformation/deployment.ts';
import type { FunctionSpec } from './function-spec.ts';
import { permissionsOf, type Permission } from './policy.ts';

/** The identity of a function at AWS. */
export type Identity = {
  /** The function's key in serverless.yml. */
  readonly function: string;
  /** The principal in error messages of AWS. */
  readonly arn: string;
  readonly permissions: readonly Permission[];
};

/** The identities by access key: that of a function is its name. */
export type Identities = ReadonlyMap<string, Identity>;

/** Returns the functions of a deployment, each with the permissions of its role. */
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
};

const hashKey = (keys: Keys): string => keys.find(({ KeyType }) => KeyType === 'HASH')?.AttributeName ?? '';

/** Returns the partition keys of a deployment's tables and their indexes. */
export const partitionKeysOf = (deployment: Deployment): PartitionKeys =>
  new Map(
    tablesOf(deployment).flatMap(({ local, properties }): [string, string][] => {
      const arn = local.attributes['Arn'] ?? '';
      const { KeySchema, GlobalSecondaryIndexes: indexes = [] } = properties as Table;
      return [
        [arn, hashKey(KeySchema)],
        ...indexes.map((index): [string, string] => [`${arn}/index/${index.IndexName}`, hashKey(index.KeySchema)]),
      ];
    }),
  );

const running = new AsyncLocalStorage<string>();
/** The variables with the function's name: its access key, and the name for its metrics. */
const own: ReadonlySet<string | symbol> = new Set(['AWS_ACCESS_KEY_ID', 'AWS_LAMBDA_FUNCTION_NAME']);

/** Runs a function, including the work that it leaves running, under the function's name. */
export const asFunction = <Result>({ name }: FunctionSpec, run: () => Result): Result => running.run(name, run);

/**
 * Makes process.env return each function's own name and access key, where Lambda sets them. All functions of a mode
 * share a process, and a client of the SDK retains the key of its first call.
 */
export const shareEnvironment = (): void => {
  process.env = new Proxy(process.env, {
    get: (variables, name) =>
      (own.has(name) ? running.getStore() : undefined) ?? (Reflect.get(variables, name) as unknown),
  });
};
