import type { Input } from '../../contract/contract.ts';
import { path } from '../path.ts';
import type { Service } from '../send.ts';
import { get } from './requests.ts';
import { headOf, isOpen, partsOf } from './return-parts.ts';
import type { ReturnsPage } from './service.ts';

/*
 * The list has first the returns that the retailer has to handle, then the handled ones. The service reads one of these
 * lists at a time, in pages of 50 returns that it does not count.
 */

const pageSize = 50;

/** A place in the two lists. `skip` counts the entries of the page that were returned already. */
type Place = { readonly handled: boolean; readonly page: number; readonly skip: number };

const first: Place = { handled: false, page: 1, skip: 0 };

/** Only this file writes the content of cursors, and the runner has checked that it is one of this list. */
const placeIn = (cursor: string | undefined): Place => (cursor === undefined ? first : (JSON.parse(cursor) as Place));

const after = ({ handled, page }: Place, isFull: boolean): Place | undefined => {
  if (isFull) return { handled, page: page + 1, skip: 0 };
  return handled ? undefined : { ...first, handled: true };
};

export const listReturns = async ({ limit = pageSize, cursor }: Input<'listReturns'>, { send }: Service) => {
  const place = placeIn(cursor);
  const { handled, page, skip } = place;
  const { returns } = (await send<ReturnsPage>(get(path`/retailer/returns`, { handled, page }))).body;
  // A return with open items can be in both lists.
  const parts = returns.flatMap(partsOf).filter(({ items }) => !handled || !items.some(isOpen));
  const end = skip + limit;
  const next = end < parts.length ? { ...place, skip: end } : after(place, returns.length >= pageSize);
  return { items: parts.slice(skip, end).map(headOf), next: next && JSON.stringify(next) };
};
