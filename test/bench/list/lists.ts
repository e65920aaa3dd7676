import { CreateTableCommand, DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { getHistory, listEvents, listPolicies, listReturns } from '../../../lib/contract/operations.ts';
import { clientSettings } from '../../../lib/tools/local/emulators/function-spec.ts';
import { alternative, type Candidate } from '../candidates.ts';
import type { Driver } from '../driver.ts';
import type { Environment } from '../outside.ts';
import type { Remote } from '../remote.ts';

/* The lists to measure. The bare candidate reads the same items from a table of its own. */

export const lists = { listReturns, listEvents, listPolicies, getHistory };
export type ListName = keyof typeof lists;
export const listNames = Object.keys(lists) as ListName[];

/** The table of the bare candidate: `pk` is the name of a list, `sk` the sort key of an item. */
const bareTable = 'bench-lists';

type Item = Readonly<Record<string, unknown>>;

const digits = (value: unknown): string => String(value).padStart(10, '0');

/** The sort key of an item for the bare candidate, from the item and its place in the list. */
const keyOf: Readonly<Record<ListName, (item: Item, index: number) => string>> = {
  listReturns: ({ returnId }) => String(returnId),
  listEvents: (_, index) => digits(index),
  listPolicies: ({ policyId }) => String(policyId),
  getHistory: ({ sequence }) => digits(sequence),
};

const descending: ReadonlySet<ListName> = new Set(['listReturns', 'listPolicies']);

/** More than a page. The table need not hold all entries and events: no candidate reads beyond its page. */
const maximum = 1_000;
const pageSize = '200';

/** Returns the candidate that reads a list by one query. */
export const bareList = (name: ListName): Candidate => ({
  ...alternative('bare', 'bare-query/list-items'),
  environment: {
    BARE_TABLE: bareTable,
    BARE_LIST: name,
    BARE_ORDER: descending.has(name) ? 'descending' : 'ascending',
  },
});

/** Creates the table of the bare candidate. */
export const createBareTable = async (environment: Environment): Promise<void> => {
  const engine = new DynamoDBClient({ ...clientSettings, endpoint: environment['AWS_ENDPOINT_URL_DYNAMODB'] ?? '' });
  const keys = ['pk', 'sk'] as const;
  await engine.send(
    new CreateTableCommand({
      TableName: bareTable,
      BillingMode: 'PAY_PER_REQUEST',
      AttributeDefinitions: keys.map((AttributeName) => ({ AttributeName, AttributeType: 'S' })),
      KeySchema: [
        { AttributeName: 'pk', KeyType: 'HASH' },
        { AttributeName: 'sk', KeyType: 'RANGE' },
      ],
    }),
  );
  engine.destroy();
};

/** Copies a list, as our function shows it, into the table of the bare candidate, and returns the number of its items. */
export const copyList = async (
  driver: Remote<Driver>,
  name: ListName,
  path: Readonly<Record<string, string>>,
): Promise<number> => {
  const items: object[] = [];
  let cursor: unknown;
  do {
    const query = { limit: pageSize, ...(typeof cursor === 'string' && { cursor }) };
    const body = await driver.call('invoke', { operation: name, path, query });
    const page = body as { readonly items: readonly Item[]; readonly nextCursor: string | null };
    items.push(
      ...page.items.map((item, index) => ({ ...item, pk: name, sk: keyOf[name](item, items.length + index) })),
    );
    cursor = page.items.length === 0 ? null : page.nextCursor;
  } while (typeof cursor === 'string' && items.length < maximum);
  return driver.call('put', { items, into: bareTable });
};
