import type { Deployed } from '../../template/cloudformation/deployment.ts';
import { accountId } from '../../template/cloudformation/template.ts';
import { assertKnownProperties } from '../known-properties.ts';

/*
 * The part of IAM that the roles use. An unsupported part is an error with its path: a local stack that guesses would
 * permit calls that AWS rejects.
 * https://docs.aws.amazon.com/IAM/latest/UserGuide/reference_policies_evaluation-logic.html
 */

/** One access of a request. A request may have several. */
export type Access = {
  /** `dynamodb:PutItem` */
  readonly action: string;
  /** An ARN. */
  readonly resource: string;
  /** The accessed values of the partition key; absent when AWS does not pass them. */
  readonly partitions?: readonly string[];
  /** The sender of a mail. */
  readonly sender?: string;
};

/**
 * An action on a resource that a role permits; with `partitions`, only on matching partition keys, with `sender`, only
 * for mails of that address.
 */
export type Permission = {
  readonly action: string;
  readonly resource: string;
  readonly partitions?: readonly string[];
  readonly sender?: string;
};

type Statement = {
  readonly Effect: string;
  readonly Action: string | readonly string[];
  readonly Resource: string | readonly string[];
  readonly Condition?: Readonly<Record<string, Readonly<Record<string, string | readonly string[]>>>>;
};
type Policy = { readonly PolicyDocument: { readonly Statement: readonly Statement[] } };

const listOf = (value: string | readonly string[]): readonly string[] => (typeof value === 'string' ? [value] : value);

type Limits = Pick<Permission, 'partitions' | 'sender'>;

const limitsOf = ({ Condition }: Statement, path: string): Limits => {
  if (Condition === undefined) return {};
  const { StringEquals: { 'ses:FromAddress': sender, ...senderKeys } = {}, ...rest } = Condition;
  if (typeof sender === 'string' && Object.keys({ ...senderKeys, ...rest }).length === 0) return { sender };
  const { 'ForAllValues:StringLike': like, Null: absent, ...operators } = Condition;
  const { 'dynamodb:LeadingKeys': partitions, ...keys } = like ?? {};
  const { 'dynamodb:LeadingKeys': isAbsent, ...others } = absent ?? {};
  const unknown = [...Object.keys(operators), ...Object.keys(keys), ...Object.keys(others)];
  // ForAllValues alone also holds for a request without a key: AWS would permit a Scan.
  if (partitions === undefined || isAbsent !== 'false' || unknown.length > 0)
    throw new Error(
      `${path}/Condition: the local stack knows ForAllValues:StringLike with Null "false" of dynamodb:LeadingKeys, and StringEquals of ses:FromAddress`,
    );
  return { partitions: listOf(partitions) };
};

const statementKeys = new Set(['Sid', 'Effect', 'Action', 'Resource', 'Condition']);
/** Policies of the template. Those of AWS hold permissions that the local stack does not know. */
const ownPolicies = `arn:aws:iam::${accountId}:policy/`;
const roleKeys = new Set([
  'AssumeRolePolicyDocument',
  'Policies',
  // The code of a function may not use the actions of these policies, which are for Lambda itself.
  'ManagedPolicyArns',
  'RoleName',
  'Description',
  'Path',
  'Tags',
]);

const permissionsIn = (statement: Statement, path: string): readonly Permission[] => {
  assertKnownProperties(statement, statementKeys, path);
  if (statement.Effect !== 'Allow') throw new Error(`${path}/Effect: the local stack knows Allow only`);
  const limits = limitsOf(statement, path);
  return listOf(statement.Action).flatMap((action) =>
    listOf(statement.Resource).map((resource) => ({ action, resource, ...limits })),
  );
};

/** Returns the permissions of a role in the template. */
export const permissionsOf = ({ logicalId, properties }: Deployed): readonly Permission[] => {
  assertKnownProperties(properties, roleKeys, `/Resources/${logicalId}/Properties`);
  const managed = (properties['ManagedPolicyArns'] ?? []) as readonly string[];
  if (!managed.every((policy) => policy.startsWith(ownPolicies)))
    throw new Error(
      `/Resources/${logicalId}/Properties/ManagedPolicyArns: the local stack knows its own policies only`,
    );
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

/**
 * Returns the expression of an IAM pattern: `*` matches any text, `?` one character. Cached, because each call of AWS
 * needs several.
 */
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
export const covers = ({ action, resource, partitions, sender }: Permission, access: Access): boolean =>
  isLike(access.action, action, 'i') &&
  isLike(access.resource, resource) &&
  (partitions === undefined || isWithin(access, partitions)) &&
  (sender === undefined || access.sender === sender);
