import type Type from 'typebox';
import * as decisions from './decisions/operations.ts';
import * as events from './events/operations.ts';
import * as inbox from './inbox/operations.ts';
import * as jobs from './jobs/operations.ts';
import * as orders from './orders/operations.ts';
import * as policies from './policies/operations.ts';
import * as reasons from './reasons/operations.ts';
import * as goods from './returns/goods-operations.ts';
import * as imports from './returns/import-operations.ts';
import * as money from './returns/money-operations.ts';
import * as returns from './returns/operations.ts';
import * as requests from './returns/request-operations.ts';
import * as service from './service/operations.ts';
import * as statistics from './statistics/operations.ts';
import * as endpoints from './webhook-endpoints/operations.ts';
import * as users from './users/operations.ts';
import * as withdrawals from './withdrawals/operations.ts';
import * as writeBack from './write-back/operations.ts';

/*
 * The contract as the build reads it. Functions import only types from here: the schemas and the texts stay out of their
 * bundles.
 */

/** The entries of all operations, by the files below lib/contract that state them. */
export const entryFiles = {
  'orders/operations.ts': orders,
  'returns/operations.ts': returns,
  'returns/request-operations.ts': requests,
  'returns/goods-operations.ts': goods,
  'returns/money-operations.ts': money,
  'returns/import-operations.ts': imports,
  'decisions/operations.ts': decisions,
  'policies/operations.ts': policies,
  'reasons/operations.ts': reasons,
  'events/operations.ts': events,
  'webhook-endpoints/operations.ts': endpoints,
  'inbox/operations.ts': inbox,
  'jobs/operations.ts': jobs,
  'statistics/operations.ts': statistics,
  'withdrawals/operations.ts': withdrawals,
  'write-back/operations.ts': writeBack,
  'users/operations.ts': users,
  'service/operations.ts': service,
} as const;

type Union<Every> = (Every extends unknown ? (entry: Every) => void : never) extends (entries: infer All) => void
  ? All
  : never;
type Contract = Union<(typeof entryFiles)[keyof typeof entryFiles]>;

export type OperationName = keyof Contract;

/** The entries of all operations, by name. */
export const contract = Object.assign({}, ...Object.values(entryFiles)) as Contract;

type Inputs = {
  [Name in OperationName]: Type.Static<Contract[Name]['params']> &
    Type.Static<Contract[Name]['query']> &
    Type.Static<Contract[Name]['body']>;
};
type Outputs = { [Name in OperationName]: Type.Static<Contract[Name]['answers']> };

/** The input of an operation: the fields of path, query and body in one object (their names never clash). */
export type Input<Name extends OperationName> = Inputs[Name];

/** The body of an operation's successful answer. */
export type Output<Name extends OperationName> = Outputs[Name];
