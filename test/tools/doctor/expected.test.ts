import { describe, expect, it } from 'vitest';
import { expectedQueues } from '../../../lib/tools/doctor/checks/queues.ts';
import { expectedTable, indexShape } from '../../../lib/tools/doctor/checks/table-shape.ts';
import { deploymentSettings } from '../../../lib/runtime/configuration/deployment-settings.ts';
import { entryReaders } from '../../../lib/shops/platforms/entry-readers.ts';
import { translators } from '../../../lib/shops/platforms/translators.ts';
import { packaged } from '../../support/roles.ts';
import { modes } from '../../../lib/tools/template/functions/function-row.ts';

/* The doctor compares a deployment with tables of its own. These tests compare those with serverless.yml. */

type Index = Parameters<typeof indexShape>[0] & { readonly IndexName: string };
type Table = {
  readonly KeySchema: readonly { readonly AttributeName: string }[];
  readonly GlobalSecondaryIndexes: readonly Index[];
  readonly StreamSpecification: { readonly StreamViewType: string };
  readonly TimeToLiveSpecification: { readonly AttributeName: string };
};
type Function = {
  readonly FunctionName: string;
  readonly Timeout: number;
  readonly Environment: { readonly Variables: Readonly<Record<string, unknown>> };
};

describe.each(modes)('doctor expectations in the %s mode', (mode) => {
  it('match the keys, indexes, stream and TTL of the table', async () => {
    const table = (await packaged(mode)).ofType('AWS::DynamoDB::Table')[0]?.properties as unknown as Table;
    expect(expectedTable).toEqual({
      keys: table.KeySchema.map(({ AttributeName }) => AttributeName).join(', '),
      indexes: Object.fromEntries(table.GlobalSecondaryIndexes.map((index) => [index.IndexName, indexShape(index)])),
      stream: table.StreamSpecification.StreamViewType,
      expiry: table.TimeToLiveSpecification.AttributeName,
    });
  });

  it('match the queues and the timeouts of the functions that read them', async () => {
    const deployment = await packaged(mode);
    const functions = deployment.ofType('AWS::Lambda::Function').map(({ properties }) => properties as Function);
    const named = (name: string) => functions.find(({ FunctionName }) => FunctionName === `returns-dev-${name}`);
    const urls = new Set(deployment.ofType('AWS::SQS::Queue').map(({ local }) => local.ref));
    const variables = named('doctor')?.Environment.Variables ?? {};
    const queues = expectedQueues.filter(({ modes }) => modes.includes(mode));
    const read = queues.flatMap(({ source }) => (source === undefined ? [] : [source]));
    expect(read.map(({ reader }) => named(reader)?.Timeout)).toEqual(read.map(({ timeoutSeconds }) => timeoutSeconds));
    const addresses = [...read, ...queues.map(({ deadLetters }) => deadLetters)].map(
      ({ variable }) => variables[variable],
    );
    expect(new Set(addresses)).toEqual(urls);
    expect(addresses).toHaveLength(urls.size);
  });

  it('match the variables of the function doctor', async () => {
    const functions = (await packaged(mode)).ofType('AWS::Lambda::Function');
    const doctor = functions
      .map(({ properties }) => properties as Function)
      .find(({ FunctionName }) => FunctionName === 'returns-dev-doctor');
    const variables = doctor?.Environment.Variables ?? {};
    for (const name of ['TABLE_NAME', 'INBOX_BUCKET', 'PLATFORMS', 'PLATFORM_SECRETS'])
      expect(variables[name]).toEqual(expect.any(String));
  });
});

it('doctor reads the entries of every platform', () => {
  expect(Object.keys(entryReaders).toSorted()).toEqual(Object.keys(translators).toSorted());
  expect(Object.keys(deploymentSettings().queueUrls)).toEqual(
    expect.arrayContaining(expectedQueues.map(({ deadLetters }) => deadLetters.variable)),
  );
});
