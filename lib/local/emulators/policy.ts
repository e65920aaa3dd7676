import type { Deployed } from '../cloudformation/deployment.ts';

/*
 * The part of IAM that our roles use. What is not known here is an error with its place: a local stack that guesses
 * would permit what AWS refuses.
 * https://docs.aws.amazon.com/IAM/latest/UserGuide/reference_policies_evaluation-logic.html
 */

/** One thing that a request does: a request may do several. */
export type Access = {
  /** `dynamodb:PutItem` */
  readonly action: string;
  /** An ARN. */
  readonly resource: string;
  /** Values of the partition key that it touches; absent where AWS does not tell them. */
  readonly partitions?: readonly string[];
};

/** One action on one resource that a role permits, on partition keys like `partitions` alone where there are any. */
export type Permission = {
  readonly action: string;
  readonly resource: string;
  readonly partitions?: readonly string[];
};

type Statement = {
  readonly Effect: string;
  readonly Action: string | readonly string[];
  readonly Resource: string | readonly string[];
  readonly Condition?: Readonly<Record<string, Readonly<Record<string, string | readonly string[]>>>>;
};
type Policy = { readonly PolicyDocument: { readonly Statement: readonly Statement[] } };

const listOf = (value: string | readonly string[]): readonly string[] => (typeof value === 'string' ? [value] : value);

const partitionsOf = ({ Condition }: Statement, place: string): readonly string[] | undefined => {
  if (Condition === undefined) return undefined;
  const { 'ForAllValues:StringLike': like, Null: absent, ...operators } = Condition;
  const { 'dynamodb:LeadingKeys': partitions, ...keys } = like ?? {};
  const { 'dynamodb:LeadingKeys': isAbsent, ...others } = absent ?? {};
  const unknown = [...Object.keys(operators), ...Object.keys(keys), ...Object.keys(others)];
  // ForAllValues alone holds for a request that names no key: AWS would permit a Scan.
  if (partitions === undefined || isAbsent !== 'false' || unknown.length > 0)
    throw new Error(
      `${place}/Condition: the local stack knows ForAllValues:StringLike with Null "false" of dynamodb:LeadingKeys only`,
    );
  return listOf(partitions);
};

const statementKeys = new Set(['Sid', 'Effect', 'Action', 'Resource', 'Condition']);
const roleKeys = new Set(['AssumeRolePolicyDocument', 'Policies', 'RoleName', 'Description', 'Path', 'Tags']);

const refuseUnknown = (value: object, known: ReadonlySet<string>, place: string): void => {
  const unknown = Object.keys(value).find((key) => !known.has(key));
  if (unknown !== undefined) throw new Error(`${place}/${unknown}: unknown to the local stack`);
};

const permissionsIn = (statement: Statement, place: string): readonly Permission[] => {
  refuseUnknown(statement, statementKeys, place);
  if (statement.Effect !== 'Allow') throw new Error(`${place}/Effect: the local stack knows Allow only`);
  const partitions = partitionsOf(statement, place);
  return listOf(statement.Action).flatMap((action) =>
    listOf(statement.Resource).map((resource) => ({ action, resource, ...(partitions && { partitions }) })),
  );
};

/** All that a role of the template permits. */
export const permissionsOf = ({ logicalId, properties }: Deployed): readonly Permission[] => {
  refuseUnknown(properties, roleKeys, `/Resources/${logicalId}/Properties`);
  const policies = (properties['Policies'] ?? []) as readonly Policy[];
  return policies.flatMap(({ PolicyDocument }, policy) =>
    PolicyDocument.Statement.flatMap((statement, index) =>
      permissionsIn(
        statement,
        `/Resources/${logicalId}/Properties/Policies/${policy}/PolicyDocument/Statement/${index}`,
      ),
    ),
  );
};

const patterns = new Map<string, RegExp>();

/** What is like an IAM pattern: `*` stands for any text, `?` for one character. Each call of AWS is held against some. */
const regexOf = (pattern: string, flags: string): RegExp => {
  const name = `${flags} ${pattern}`;
  const known = patterns.get(name);
  if (known !== undefined) return known;
  const source = pattern.replaceAll(/[\\^$.*+?()[\]{}|]/g, String.raw`\$&`);
  const wild = source.replaceAll(String.raw`\*`, '.*').replaceAll(String.raw`\?`, '.');
  const regex = new RegExp(`^${wild}$`, `s${flags}`);
  patterns.set(name, regex);
  return regex;
};

const isLike = (text: string, pattern: string, flags = ''): boolean => regexOf(pattern, flags).test(text);

const isWithin = (access: Access, partitions: readonly string[]): boolean =>
  access.partitions !== undefined &&
  access.partitions.every((value) => partitions.some((pattern) => isLike(value, pattern)));

/** Whether a permission covers an access. */
export const covers = ({ action, resource, partitions }: Permission, access: Access): boolean =>
  isLike(access.action, action, 'i') &&
  isLike(access.resource, resource) &&
  (partitions === undefined || isWithin(access, partitions));
