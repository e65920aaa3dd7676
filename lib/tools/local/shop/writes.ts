import type { GraphQLResolveInfo } from 'graphql';
import type { Books } from './books.ts';
import { refund, type RefundInput } from './refund-writes.ts';
import {
  cancel,
  close,
  create,
  type CreateInput,
  decide,
  process,
  type ProcessInput,
  ship,
  type ShipInput,
} from './return-writes.ts';
import type { Writes } from './returns.ts';

/** The mutations, each of which returns the id of its subject or errors. */
export const mutationsOf = (books: Books, writes: Writes) => ({
  approve: (id: string) => decide(books, writes, id, { do: 'approve' }),
  decline: (id: string, reason: string) => decide(books, writes, id, { do: 'decline', reason }),
  cancel: (id: string) => cancel(books, writes, id),
  close: (id: string) => close(books, writes, id),
  create: (input: CreateInput) => create(books, writes, input),
  process: (input: ProcessInput) => process(books, writes, input),
  ship: (input: ShipInput) => ship(books, writes, input),
  refund: (input: RefundInput, info: GraphQLResolveInfo) => refund(books, writes, input, info),
});

export type Mutations = ReturnType<typeof mutationsOf>;
