import * as operations from '../../../lib/contract/operations.ts';

/* The lists to measure. The bare candidate reads the same items from a table of its own. */

export const listNames = ['listReturns', 'listEvents', 'listPolicies', 'getHistory'] as const;
export type ListName = (typeof listNames)[number];

/** The table of the bare candidate: `pk` is the name of a list, `sk` the sort key of an item. */
export const bareTable = 'bench-lists';

type Item = Readonly<Record<string, unknown>>;

/** How the bare candidate stores a list. */
export type BareList = {
  readonly operation: (typeof operations)[ListName];
  /** Returns the sort key of an item, from the item and its place in the list. */
  readonly keyOf: (item: Item, index: number) => string;
  readonly order: 'ascending' | 'descending';
  /** The number of items that it stores at most. */
  readonly maximum: number;
};

const digits = (value: unknown): string => String(value).padStart(10, '0');

/** More than a page. The table need not hold all entries and events: no candidate reads beyond its page. */
const some = 1_000;

export const lists: Readonly<Record<ListName, BareList>> = {
  listReturns: {
    operation: operations.listReturns,
    keyOf: ({ returnId }) => String(returnId),
    order: 'descending',
    maximum: Infinity,
  },
  listEvents: {
    operation: operations.listEvents,
    keyOf: (_, index) => digits(index),
    order: 'ascending',
    maximum: some,
  },
  listPolicies: {
    operation: operations.listPolicies,
    keyOf: ({ policyId }) => String(policyId),
    order: 'descending',
    maximum: some,
  },
  getHistory: {
    operation: operations.getHistory,
    keyOf: ({ sequence }) => digits(sequence),
    order: 'ascending',
    maximum: some,
  },
};
