import type Type from 'typebox';
import { History, PageQuery } from './history.ts';
import type * as operations from './operations.ts';
import { Order, OrderFacts, OrderPath, Returnable } from './order.ts';
import { Approval, NewReturn, Rejection, Return, ReturnPath } from './return.ts';
import { closed } from './scalars.ts';

const nothing = closed({});

/** What each operation takes in its path, its query and its body, and what it answers with. */
export const schemas = {
  registerOrder: { path: OrderPath, query: nothing, body: OrderFacts, output: Order },
  getOrder: { path: OrderPath, query: nothing, body: nothing, output: Order },
  getReturnable: { path: OrderPath, query: nothing, body: nothing, output: Returnable },
  createReturn: { path: nothing, query: nothing, body: NewReturn, output: Return },
  getReturn: { path: ReturnPath, query: nothing, body: nothing, output: Return },
  approve: { path: ReturnPath, query: nothing, body: Approval, output: Return },
  reject: { path: ReturnPath, query: nothing, body: Rejection, output: Return },
  getHistory: { path: ReturnPath, query: PageQuery, body: nothing, output: History },
} satisfies Record<
  keyof typeof operations,
  { path: Type.TObject; query: Type.TObject; body: Type.TObject; output: Type.TObject }
>;

export type OperationName = keyof typeof schemas;
type Parts<Name extends OperationName> = (typeof schemas)[Name];

/** The input of an operation: the fields of path, query and body in one object (their names never clash). */
export type Input<Name extends OperationName> = Type.Static<Parts<Name>['path']> &
  Type.Static<Parts<Name>['query']> &
  Type.Static<Parts<Name>['body']>;

/** The body of an operation's successful answer. */
export type Output<Name extends OperationName> = Type.Static<Parts<Name>['output']>;
