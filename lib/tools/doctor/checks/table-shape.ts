import {
  DescribeContinuousBackupsCommand,
  DescribeTableCommand,
  DescribeTimeToLiveCommand,
  type DynamoDBClient,
  type KeySchemaElement,
  type TableDescription,
} from '@aws-sdk/client-dynamodb';
import {
  type Check,
  failed,
  notApplicable,
  type Part,
  passed,
  skipped,
  type CheckContext,
  unset,
  warning,
  within,
} from '../check.ts';
import type { Mode } from '../mode.ts';
import { explainAwsFailure } from './aws-failure.ts';

/** The table as serverless.yml deploys it. test/tools/doctor/expected.test.ts compares this with the template. */
export const expectedTable = {
  keys: 'pk, sk',
  indexes: {
    byOrder: 'orderKey, id; KEYS_ONLY',
    byCustomer: 'customerKey, id; KEYS_ONLY',
    byAssignee: 'assigneeKey, id; KEYS_ONLY',
    byStatus: 'statusKey, id; INCLUDE summary returnStatus',
    byCreation: 'listKey, id; INCLUDE summary returnStatus',
    byUpdate: 'listKey, updatedKey; INCLUDE summary returnStatus',
    byDeadline: 'listKey, dueKey; INCLUDE summary returnStatus',
  },
  stream: 'KEYS_ONLY',
  expiry: 'expiresAt',
} as const;

const shapeChecks = ['table keys', 'table indexes', 'table stream'] as const;

export type TableExamination = {
  readonly mode: Mode;
  readonly tableName: string | undefined;
  /** Whether a local engine holds the table: it may lack features of AWS. */
  readonly emulated: boolean;
  readonly deployed: boolean;
  readonly client: DynamoDBClient;
};

const redeploy =
  'The table differs from the template. Undo the change by hand, because CloudFormation does not see it.';

type Keys = readonly Pick<KeySchemaElement, 'AttributeName' | 'KeyType'>[] | undefined;

/** The partition key first, as DynamoDB lists them. */
const keysOf = (keys: Keys): string => (keys ?? []).map(({ AttributeName }) => AttributeName).join(', ');

type Index = NonNullable<TableDescription['GlobalSecondaryIndexes']>[number];

export const indexShape = ({ KeySchema, Projection }: Pick<Index, 'KeySchema' | 'Projection'>): string =>
  `${keysOf(KeySchema)}; ${[Projection?.ProjectionType, ...(Projection?.NonKeyAttributes ?? [])].join(' ')}`;

const checkKeys = ({ KeySchema }: TableDescription): Check => {
  const found = keysOf(KeySchema);
  if (found === expectedTable.keys) return passed('table keys', found);
  return failed(
    'table keys',
    `the keys are ${found} and must be ${expectedTable.keys}`,
    'Set TABLE_NAME to the table of this stack.',
  );
};

const checkIndexes = ({ GlobalSecondaryIndexes = [] }: TableDescription): Check => {
  const found = new Map(GlobalSecondaryIndexes.map((index) => [index.IndexName ?? '', index]));
  const errors = Object.entries(expectedTable.indexes).flatMap(([name, shape]) => {
    const index = found.get(name);
    if (index === undefined) return [`${name} is missing`];
    if (indexShape(index) !== shape) return [`${name} has other keys or attributes`];
    return index.IndexStatus === undefined || index.IndexStatus === 'ACTIVE' ? [] : [`${name} is ${index.IndexStatus}`];
  });
  if (errors.length > 0) return failed('table indexes', errors.join(', '), redeploy);
  return passed('table indexes', Object.keys(expectedTable.indexes).join(', '));
};

/** In the connected mode no function reads the stream. */
const checkStream = ({ StreamSpecification }: TableDescription, mode: TableExamination['mode']): Check => {
  const view = StreamSpecification?.StreamEnabled === true ? StreamSpecification.StreamViewType : undefined;
  if (view === expectedTable.stream) return passed('table stream', view);
  const report = mode === 'standalone' ? failed : warning;
  const detail =
    view === undefined ? 'the table has no stream' : `the view type is ${view} and must be ${expectedTable.stream}`;
  return report('table stream', detail, redeploy);
};

const checkTable = async (
  { client, tableName: TableName, mode }: TableExamination,
  underway: CheckContext,
): Promise<readonly Check[]> => {
  try {
    const request = new DescribeTableCommand({ TableName });
    const { Table = {} } = await within(underway, (signal) => client.send(request, { abortSignal: signal }));
    const { TableStatus = 'unknown' } = Table;
    const usable = TableStatus === 'ACTIVE' || TableStatus === 'UPDATING';
    return [
      usable
        ? passed('table', `${TableName} is ${TableStatus}`)
        : failed('table', `${TableName} is ${TableStatus}`, 'Wait until it is ACTIVE, or restore it from a backup.'),
      checkKeys(Table),
      checkIndexes(Table),
      checkStream(Table, mode),
    ];
  } catch (error) {
    const { detail, remedy } = explainAwsFailure(error, { action: 'dynamodb:DescribeTable', variable: 'TABLE_NAME' });
    const table = failed('table', `the check could not run: ${detail}`, remedy);
    return [table, ...skipped(shapeChecks, 'the table was not described')];
  }
};

type Setting = { readonly name: string; readonly action: string; readonly check: () => Promise<Check> };

/** The row of a setting with its own call, which a local engine may not support. */
const checkSetting = async ({ emulated }: TableExamination, { name, action, check }: Setting): Promise<Check> => {
  try {
    return await check();
  } catch (error) {
    const { detail, remedy, unsupported } = explainAwsFailure(error, { action, variable: 'TABLE_NAME' });
    if (emulated && unsupported) return notApplicable(name, 'the local engine does not support it');
    return failed(name, `the check could not run: ${detail}`, remedy);
  }
};

const expiry = ({ client, tableName: TableName }: TableExamination, underway: CheckContext): Setting => ({
  name: 'table TTL',
  action: 'dynamodb:DescribeTimeToLive',
  check: async () => {
    const request = new DescribeTimeToLiveCommand({ TableName });
    const { TimeToLiveDescription: found } = await within(underway, (signal) =>
      client.send(request, { abortSignal: signal }),
    );
    const on = found?.TimeToLiveStatus === 'ENABLED' || found?.TimeToLiveStatus === 'ENABLING';
    if (on && found.AttributeName === expectedTable.expiry) return passed('table TTL', `on ${found.AttributeName}`);
    const detail = on ? `it uses another attribute than ${expectedTable.expiry}` : 'it is off, so expired items remain';
    return warning('table TTL', detail, redeploy);
  },
});

const backups = ({ client, tableName: TableName, emulated }: TableExamination, underway: CheckContext): Setting => ({
  name: 'table PITR',
  action: 'dynamodb:DescribeContinuousBackups',
  check: async () => {
    const request = new DescribeContinuousBackupsCommand({ TableName });
    const { ContinuousBackupsDescription: found } = await within(underway, (signal) =>
      client.send(request, { abortSignal: signal }),
    );
    if (found?.PointInTimeRecoveryDescription?.PointInTimeRecoveryStatus === 'ENABLED')
      return passed('table PITR', 'point-in-time recovery is on');
    if (emulated) return notApplicable('table PITR', 'the local engine has no backups');
    return warning('table PITR', 'point-in-time recovery is off', redeploy);
  },
});

/** Checks that the table exists with the keys, indexes and settings of the template. */
export const tablePart = (examination: TableExamination): Part => ({
  name: 'table',
  run: async (underway) => {
    if (!examination.tableName) return [unset('table', 'TABLE_NAME', examination.deployed)];
    const settings = [expiry(examination, underway), backups(examination, underway)];
    const [table, ...others] = await Promise.all([
      checkTable(examination, underway),
      ...settings.map(async (setting) => checkSetting(examination, setting)),
    ]);
    return [...table, ...others];
  },
});
