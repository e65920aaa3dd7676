import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type AttributeValue, BatchWriteItemCommand, DynamoDBClient, paginateScan } from '@aws-sdk/client-dynamodb';
import { clientSettings } from '../../../lib/tools/local/emulators/function-spec.ts';
import type { StackInfo } from '../../../lib/tools/local/stack-info.ts';
import type { Api } from '../../support/api.ts';

/** A recorded release: its rows, the secrets that they need, and the answers of that release to reads. */
export type Recording = {
  readonly secrets: readonly { readonly name: string }[];
  readonly rows: readonly Readonly<Record<string, AttributeValue>>[];
  readonly answers: readonly { readonly path: string; readonly body: unknown }[];
};

/** A line of a file has one of these. */
type Line = {
  readonly secret: Recording['secrets'][number];
  readonly row: Recording['rows'][number];
  readonly answer: Recording['answers'][number];
};

/** The secrets with the keys of histories, receipts, searches and cursors. */
const isKeyOfRows = ({ name }: Recording['secrets'][number]): boolean =>
  /^returns-standalone-\w+(Keys|Secret|Key)$/.test(name);

const tableOf = ({ aws }: StackInfo) => ({
  client: new DynamoDBClient({ ...clientSettings, endpoint: aws.dynamodb }),
  TableName: aws.tables['standalone.Table'] ?? '',
});

/** Binary values in JSON: DynamoDB's own form has them in Base64. */
const toJson = (_: string, value: unknown): unknown =>
  value instanceof Uint8Array ? { base64: Buffer.from(value).toString('base64') } : value;
const fromJson = (_: string, value: unknown): unknown =>
  typeof value === 'object' && value !== null && 'base64' in value
    ? Uint8Array.from(Buffer.from(String(value.base64), 'base64'))
    : value;

/** Rows that end by themselves are gone when a later release reads the table. */
const stays = (row: Readonly<Record<string, AttributeValue>>): boolean => row['expiresAt'] === undefined;

/**
 * What a read says apart from the time of the read, on which the next actions depend.
 */
const lasting = (body: unknown): unknown =>
  JSON.parse(JSON.stringify(body, (name, value: unknown) => (name === 'allowedActions' ? undefined : value)));

export const readAnswers = async (service: Api, paths: readonly string[]): Promise<Recording['answers']> =>
  Promise.all(
    paths.map(async (path) => {
      const { status, body } = await service.get(path);
      if (status !== 200) throw new Error(`${path}: ${status} ${JSON.stringify(body)}`);
      return { path, body: lasting(body) };
    }),
  );

/** Records the table of a stack, its secrets, and the answers to these paths. */
export const record = async (
  file: string,
  stack: { info: StackInfo; dataDir: string },
  answers: Recording['answers'],
) => {
  const { client, TableName } = tableOf(stack.info);
  const rows: Recording['rows'][number][] = [];
  for await (const { Items = [] } of paginateScan({ client }, { TableName })) rows.push(...Items.filter(stays));
  const all = JSON.parse(readFileSync(join(stack.dataDir, 'secrets.json'), 'utf8')) as Recording['secrets'];
  const lines = [
    ...all.filter(isKeyOfRows).map((secret) => ({ secret })),
    ...rows.map((row) => ({ row })),
    ...answers.map((answer) => ({ answer })),
  ];
  writeFileSync(file, lines.map((line) => `${JSON.stringify(line, toJson)}\n`).join(''));
};

export const readRecording = (file: string): Recording => {
  const lines = readFileSync(file, 'utf8')
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line, fromJson) as Partial<Line>);
  const isDefined = <Value>(value: Value | undefined): value is Value => value !== undefined;
  return {
    secrets: lines.map(({ secret }) => secret).filter(isDefined),
    rows: lines.map(({ row }) => row).filter(isDefined),
    answers: lines.map(({ answer }) => answer).filter(isDefined),
  };
};

/** Writes recorded rows into the table of a stack. */
export const restore = async (info: StackInfo, rows: Recording['rows']): Promise<void> => {
  const { client, TableName } = tableOf(info);
  for (let start = 0; start < rows.length; start += 25) {
    const requests = rows.slice(start, start + 25).map((Item) => ({ PutRequest: { Item: { ...Item } } }));
    const { UnprocessedItems = {} } = await client.send(
      new BatchWriteItemCommand({ RequestItems: { [TableName]: requests } }),
    );
    if (Object.keys(UnprocessedItems).length > 0) throw new Error('the engine left rows out');
  }
};
