import { busArn, secretArn, streamArn, tableArn } from '../../template/cloudformation/deployment.ts';
import type { Access } from './policy.ts';
import { accountId, region } from '../../template/cloudformation/template.ts';

/*
 * Determines the accesses of a request to AWS, in IAM's terms.
 * https://docs.aws.amazon.com/service-authorization/latest/reference/reference_policies_actions-resources-contextkeys.html
 */

/** The partition key's name of each table and index, by ARN. */
export type PartitionKeys = ReadonlyMap<string, string>;

/** Attributes in DynamoDB's format; a key is text, a number or, in base64, bytes. */
type Item = Readonly<Record<string, Readonly<Record<string, string>>>>;
type ItemRequest = { readonly TableName: string; readonly Key?: Item; readonly Item?: Item };

/** The fields of requests that identify resources. */
type Input = ItemRequest & {
  readonly IndexName?: string;
  readonly KeyConditionExpression?: string;
  readonly ExpressionAttributeNames?: Readonly<Record<string, string>>;
  readonly ExpressionAttributeValues?: Item;
  readonly TransactItems: readonly Readonly<Record<string, ItemRequest>>[];
  readonly RequestItems?: Readonly<Record<string, { readonly Keys: readonly Item[] }>>;
  readonly QueueUrl: string;
  readonly SecretId: string;
  readonly StreamArn: string;
  readonly ShardIterator: string;
  readonly Entries: readonly { readonly EventBusName?: string }[];
};

const arnOf = (service: string, rest: string): string => `arn:aws:${service}:${region}:${accountId}:${rest}`;

const valueOf = (item: Item | undefined, name: string): string | undefined => Object.values(item?.[name] ?? {})[0];

const itemAccess = (action: string, { TableName, Key, Item }: ItemRequest, keys: PartitionKeys): Access => {
  const resource = tableArn(TableName);
  const value = valueOf(Key ?? Item, keys.get(resource) ?? '');
  return { action: `dynamodb:${action}`, resource, ...(value !== undefined && { partitions: [value] }) };
};

/** Returns the value of the partition key in a query's condition. */
const queriedKey = (input: Input, name: string | undefined): string | undefined => {
  const { KeyConditionExpression = '', ExpressionAttributeNames = {}, ExpressionAttributeValues } = input;
  const comparisons = [...KeyConditionExpression.matchAll(/([#\w.-]+)\s*=\s*(:\w+)/g)];
  const found = comparisons.find(([, left = '']) => (ExpressionAttributeNames[left] ?? left) === name);
  return valueOf(ExpressionAttributeValues, found?.[2] ?? '');
};

const searchAccess = (action: string, input: Input, keys: PartitionKeys): Access => {
  const { TableName, IndexName } = input;
  const table = tableArn(TableName);
  const resource = IndexName === undefined ? table : `${table}/index/${IndexName}`;
  const value = queriedKey(input, keys.get(resource));
  return { action: `dynamodb:${action}`, resource, ...(value !== undefined && { partitions: [value] }) };
};

const batchAccess = ({ RequestItems = {} }: Input, keys: PartitionKeys): readonly Access[] =>
  Object.entries(RequestItems).map(([name, { Keys }]) => {
    const resource = tableArn(name);
    const partitions = Keys.flatMap((key) => valueOf(key, keys.get(resource) ?? '') ?? []);
    return { action: 'dynamodb:BatchGetItem', resource, partitions };
  });

/** The actions that authorise the parts of a transaction, which has no action of its own. */
const parts: Readonly<Record<string, string>> = {
  Get: 'GetItem',
  Put: 'PutItem',
  Update: 'UpdateItem',
  Delete: 'DeleteItem',
  ConditionCheck: 'ConditionCheckItem',
};

const transaction = ({ TransactItems }: Input, keys: PartitionKeys): readonly Access[] =>
  TransactItems.flatMap((item) =>
    Object.entries(item).map(([part, request]) => itemAccess(parts[part] ?? part, request, keys)),
  );

const dynamodb = (operation: string, input: Input, keys: PartitionKeys): readonly Access[] | undefined => {
  switch (operation) {
    case 'GetItem':
    case 'PutItem':
    case 'UpdateItem':
    case 'DeleteItem':
      return [itemAccess(operation, input, keys)];
    case 'Query':
    case 'Scan':
      return [searchAccess(operation, input, keys)];
    case 'BatchGetItem':
      return batchAccess(input, keys);
    case 'TransactGetItems':
    case 'TransactWriteItems':
      return transaction(input, keys);
    case 'DescribeTable':
    case 'DescribeTimeToLive':
    case 'DescribeContinuousBackups':
      return [{ action: `dynamodb:${operation}`, resource: tableArn(input.TableName) }];
    default:
      return undefined;
  }
};

const tableOfStream = (arn: string): string => /:table\/([^/]+)\/stream\//.exec(arn)?.[1] ?? arn;

/**
 * Returns the table of a stream iterator. An iterator of AWS and of DynamoDB Local begins with the stream's ARN; one of
 * dynoxide is JSON in base64.
 */
const tableOfIterator = (iterator: string): string =>
  iterator.startsWith('arn:')
    ? tableOfStream(iterator)
    : (JSON.parse(Buffer.from(iterator, 'base64').toString()) as { readonly table_name: string }).table_name;

const streams = (operation: string, input: Input): readonly Access[] | undefined => {
  const on = (table: string) => [{ action: `dynamodb:${operation}`, resource: streamArn(table) }];
  switch (operation) {
    case 'GetRecords':
      return on(tableOfIterator(input.ShardIterator));
    case 'GetShardIterator':
    case 'DescribeStream':
      return on(tableOfStream(input.StreamArn));
    case 'ListStreams':
      return on(input.TableName);
    default:
      return undefined;
  }
};

/**
 * Returns the access to a queue. Its name is the last part of the URL. A batch needs the permission of its single
 * action.
 */
const sqs = (operation: string, { QueueUrl }: Input): readonly Access[] => [
  {
    action: `sqs:${operation.replace(/Batch$/, '')}`,
    resource: arnOf('sqs', QueueUrl.split('/').at(-1) ?? ''),
  },
];

const secretsManager = (operation: string, { SecretId }: Input): readonly Access[] => [
  {
    action: `secretsmanager:${operation}`,
    resource: SecretId.startsWith('arn:') ? SecretId : secretArn(SecretId),
  },
];

/** Returns the accesses to buses. An entry names a bus by name or ARN; without one it is the account's default bus. */
const eventBridge = (operation: string, { Entries }: Input): readonly Access[] | undefined => {
  if (operation !== 'PutEvents') return undefined;
  const buses = Entries.map(({ EventBusName = 'default' }) => EventBusName);
  const arns = new Set(buses.map((bus) => (bus.startsWith('arn:') ? bus : busArn(bus))));
  return [...arns].map((resource) => ({ action: 'events:PutEvents', resource }));
};

type SendEmail = { readonly FromEmailAddress: string; readonly ConfigurationSetName?: string };

/** Returns the accesses of SendEmail: to the identity of the sender, here the domain, and to the configuration set. */
export const sendEmailRequest = (body: string): Request => {
  const { FromEmailAddress: sender, ConfigurationSetName: set } = JSON.parse(body) as SendEmail;
  const on = (resource: string): Access => ({ action: 'ses:SendEmail', resource: arnOf('ses', resource), sender });
  return {
    service: 'ses',
    accesses: [
      on(`identity/${sender.split('@').at(-1)}`),
      ...(set === undefined ? [] : [on(`configuration-set/${set}`)]),
    ],
  };
};

export type Service = 'dynamodb' | 'sqs' | 'secretsManager' | 'eventBridge' | 'ses';

type Known = {
  readonly service: Service;
  readonly accessesOf: (operation: string, input: Input, keys: PartitionKeys) => readonly Access[] | undefined;
};

/** The services by the first part of X-Amz-Target. */
const services: Readonly<Record<string, Known>> = {
  DynamoDB_20120810: { service: 'dynamodb', accessesOf: dynamodb },
  DynamoDBStreams_20120810: { service: 'dynamodb', accessesOf: streams },
  AmazonSQS: { service: 'sqs', accessesOf: sqs },
  secretsmanager: { service: 'secretsManager', accessesOf: secretsManager },
  AWSEvents: { service: 'eventBridge', accessesOf: eventBridge },
};

export type Request = { readonly service: Service; readonly accesses: readonly Access[] };

/**
 * Returns the accesses of a request.
 *
 * @param target its X-Amz-Target: `DynamoDB_20120810.PutItem`
 * @returns undefined for an operation that the local stack does not support
 * @throws for a body that does not fit its target
 */
export const requestOf = (target: string, body: string, keys: PartitionKeys): Request | undefined => {
  const [prefix = '', operation = ''] = target.split('.');
  const known = services[prefix];
  if (known === undefined || operation === '') return undefined;
  const accesses = known.accessesOf(operation, JSON.parse(body) as Input, keys);
  return accesses && { service: known.service, accesses };
};
