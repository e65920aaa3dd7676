import type { Output } from '../../../contract/contract.ts';
import type { Order, OrderRef } from '../../../domain/returns/model/order.ts';
import { sum } from '../../../domain/returns/units-by-line.ts';
import type { Session } from '../../../store/engine/session.ts';
import { takeFitting } from '../../../store/engine/pack.ts';
import { readOrderFacts } from '../../../store/orders/orders.ts';
import { readPersons, type StoredPerson } from '../../../store/personal/personal.ts';
import { dataSubjectOf } from '../../../store/personal/text-references.ts';
import { personView } from '../../views/views.ts';

type OrderItem = Output<'findReturns'>['orders'][number];

/** The orders of one answer. It is the maximum of the schema. */
export const maxFoundOrders = 50;
/** The orders that one search reads to find the newest. */
const maxRead = 200;

const timeOf = ({ facts, createdAt }: Order): string => facts.placedAt ?? createdAt;

const orderItem = (order: Order, person: StoredPerson | undefined): OrderItem => {
  const { platform, orderId, facts } = order;
  const customer = personView(person);
  return {
    platform,
    orderId,
    ...(facts.number !== undefined && { number: facts.number }),
    ...(facts.placedAt !== undefined && { placedAt: facts.placedAt }),
    quantity: sum(facts.lines.map(({ quantity }) => quantity)),
    ...(facts.customer?.id !== undefined && { customerId: facts.customer.id }),
    ...(customer !== undefined && { customer }),
  };
};

type Options = {
  /** Adds the names of the customers. */
  readonly include: 'customer' | undefined;
  /** The data subjects of the orders. An order that belongs to another customer now is left out. @default any */
  readonly subjects?: ReadonlySet<string>;
};

/** Reads the registered ones of some orders, the newest first. `more` says that some were left out. */
export const findOrders = async (
  session: Session,
  refs: readonly OrderRef[],
  { include, subjects }: Options,
): Promise<{ readonly orders: OrderItem[]; readonly more: boolean }> => {
  const read = await readOrderFacts(session, refs.slice(0, maxRead));
  const own = read.filter((order) => subjects?.has(dataSubjectOf(order)) ?? true);
  const newest = own.toSorted((a, b) => (timeOf(a) < timeOf(b) ? 1 : -1)).slice(0, maxFoundOrders);
  const persons = include === undefined ? undefined : await readPersons(session, newest.map(dataSubjectOf));
  const orders = takeFitting(newest.map((order) => orderItem(order, persons?.get(dataSubjectOf(order)))));
  return { orders, more: refs.length > maxRead || own.length > orders.length };
};
