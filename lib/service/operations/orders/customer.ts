import { isDeepStrictEqual } from 'node:util';
import type { Input } from '../../../contract/contract.ts';
import type { Order, OrderFacts } from '../../../domain/returns/model/order.ts';
import type { Session } from '../../../store/engine/session.ts';
import type { Write } from '../../../store/engine/transact.ts';
import { writeOrderLink } from '../../../store/orders/orders.ts';
import { personDigests } from '../../../store/personal/customer-search.ts';
import { type Person, readPerson, writePerson } from '../../../store/personal/personal.ts';
import { dataSubjectOf } from '../../../store/personal/text-references.ts';
import { readSearchKeyRing } from '../../execution/key-ring.ts';

/* The customer of an order, whose personal data is stored apart from the facts. */

/** Separates personal data from the facts. The person and the order are stored separately. */
export const separatePersonal = ({ platform, orderId, observedAt, customer, ...input }: Input<'registerOrder'>) => {
  const { email, name, ...known } = customer ?? {};
  const person: Person = { ...(email === undefined ? {} : { email }), ...(name === undefined ? {} : { name }) };
  const facts: OrderFacts = { ...input, ...(customer === undefined ? {} : { customer: known }) };
  return { ref: { platform, orderId }, facts, person, observedAt: new Date(observedAt).toISOString() };
};

/** What a registration says of a person, and when it was so. */
type Observed = { readonly person: Person; readonly observedAt: string };

/** An order, and as it was before. */
type Registered = { readonly order: Order; readonly before: Order | undefined };

/**
 * Returns the writes of the customer, with the rows by which the search finds the customer and the order. There are none
 * when nothing is sent, or when the stored observation is the same or newer. A link to the order is written once: when
 * the order, its customer or the search is new. An order without a customer needs none.
 */
export const writeCustomer = async (
  session: Session,
  { order, before }: Registered,
  { person, observedAt }: Observed,
): Promise<Write[]> => {
  const subject = dataSubjectOf(order);
  const isNamed = Object.keys(person).length > 0;
  const isLinked = before !== undefined && dataSubjectOf(before) === subject;
  if (!isNamed && isLinked) return [];
  const known = isNamed ? await readPerson(session, subject) : undefined;
  const key = (await readSearchKeyRing(session))?.current;
  const isSearchable = key !== undefined && order.facts.customer?.id !== undefined;
  const isNewInSearch = isNamed && (known?.digests.length ?? 0) === 0;
  const link = isSearchable && (!isLinked || isNewInSearch) ? [writeOrderLink(subject, order)] : [];
  if (!isNamed || (known !== undefined && known.observedAt > observedAt)) return link;
  const merged = { ...known?.person, ...person };
  const next = { person: merged, observedAt, digests: personDigests(key, merged) };
  return isDeepStrictEqual(next, known) ? link : [...writePerson(subject, next, known?.digests ?? []), ...link];
};
