import type { Output } from '../../contract/contract.ts';
import { findReturns, searchCustomers } from '../../contract/operations.ts';
import { may } from '../session/session.ts';
import { type Answer, call, type CallOptions } from './call.ts';

/*
 * The one search of the console: the queue, the station and the match of a withdrawal use it. A text is compared with
 * all numbers, and with the addresses and names of customers where the person may search them.
 */

type Numbers = Output<'findReturns'>;
export type FoundOrder = Numbers['orders'][number];
type FoundReturn = {
  readonly matchedBy: Numbers['items'][number]['matchedBy'] | 'email' | 'name';
  readonly return: Numbers['items'][number]['return'];
};

/** What a text leads to. */
export type Found = {
  readonly items: readonly FoundReturn[];
  readonly orders: readonly FoundOrder[];
  readonly more: boolean;
  /** The open returns whose SKUs were compared. */
  readonly compared?: number;
};

const include = 'customer';
const pageSize = 50;
/** The maximum of each field in the API. */
const maxLength = { email: 320, name: 200 };

/** Whether a text may be an address or a name. Such a text stays out of the address of the page. */
export const isPersonal = (text: string): boolean =>
  text.includes('@') || (/\p{L}/u.test(text) && (/\s/u.test(text) || !/\d/u.test(text)));

/** Finds what has a number: a return, an order, a parcel, or goods in an open return. */
export const searchNumbers = async (reference: string, options: CallOptions = {}): Promise<Answer<Found>> =>
  call(findReturns, { reference: reference.slice(0, 250), include }, options);

/** Finds the orders and returns of a customer by the whole address or name. */
export const searchPersons = async (
  matchedBy: 'email' | 'name',
  text: string,
  options: CallOptions,
): Promise<Answer<Found>> => {
  const person = matchedBy === 'email' ? { email: text } : { name: text };
  const answer = await call(searchCustomers, { ...person, include, limit: pageSize }, options);
  if (!answer.ok) return answer;
  const { items, orders, moreOrders, nextCursor } = answer.value;
  const found = items.map((item) => ({ matchedBy, return: item }));
  return { ok: true, value: { items: found, orders, more: moreOrders || nextCursor !== null } };
};

/** Finds what a text leads to. A text with `@` is an address, and another one a number first, then a name. */
export const search = async (text: string, options: CallOptions = {}): Promise<Answer<Found>> => {
  const maySearch = isPersonal(text) && may('returns:search');
  if (maySearch && text.includes('@') && text.length <= maxLength.email) return searchPersons('email', text, options);
  const numbers = await searchNumbers(text, options);
  if (!numbers.ok || !maySearch || text.length > maxLength.name) return numbers;
  if (numbers.value.items.length > 0 || numbers.value.orders.length > 0) return numbers;
  const persons = await searchPersons('name', text, options);
  // Where the deployment searches no customers, nothing has this number.
  return persons.ok || persons.problem.code !== 'feature_disabled' ? persons : numbers;
};
