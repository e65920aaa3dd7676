import type { Failure } from '../contract/result.ts';
import { sha256 } from '../runtime/hash.ts';
import { parseJson } from '../runtime/json.ts';
import { misfit, OperationFailure } from './failure.ts';

/*
 * Cursors of our lists hold what the mapping needs to read the next page. They name the list and its filters, because a
 * page number of another list is a wrong page.
 */

const invalidCursor: Failure = {
  code: 'invalid_cursor',
  detail: 'The cursor does not belong to this list. Begin again without a cursor.',
  errors: [
    { path: '/cursor', code: 'invalid', message: 'must be the nextCursor of a page of the same list, with its limit' },
  ],
};

type Filters = Readonly<Record<string, unknown>>;

const listOf = (operation: string, input: Filters): string => {
  const filters = Object.entries(input)
    .filter(([name]) => name !== 'cursor' && name !== 'limit')
    .toSorted(([a], [b]) => (a < b ? -1 : 1));
  return sha256(JSON.stringify([operation, filters]), 'base64url').slice(0, 16);
};

/** The longest cursor that a request can have. */
const maxCursor = 2_000;

/**
 * Makes the cursor of the next page.
 *
 * @throws {OperationFailure} for a cursor that no request can have
 */
export const cursorOf = (operation: string, input: Filters, next: string): string => {
  const cursor = Buffer.from(JSON.stringify([listOf(operation, input), next])).toString('base64url');
  if (cursor.length > maxCursor)
    throw new OperationFailure(misfit('/nextCursor', `must have at most ${maxCursor} characters`));
  return cursor;
};

/**
 * Returns what a cursor holds.
 *
 * @throws {OperationFailure} for a cursor of another list, or with other filters
 */
export const readCursor = (operation: string, input: Filters, cursor: string): string => {
  const value = parseJson(Buffer.from(cursor, 'base64url').toString());
  const [list, next]: readonly unknown[] = Array.isArray(value) ? value : [];
  if (list !== listOf(operation, input) || typeof next !== 'string') throw new OperationFailure(invalidCursor);
  return next;
};

/**
 * Makes the content of a cursor of a list with page numbers, where the request chooses the size of a page. The number
 * counts pages of this size.
 */
export const pageCursor = (page: number, size: number): string => `${page}/${size}`;

/**
 * Returns the number in a cursor of a list with page numbers.
 *
 * @param first the number of the first page, for a request without a cursor
 * @param size the size that {@link pageCursor} got; absent where the service chooses it
 * @throws {OperationFailure} for a cursor without a number, and one of pages of another size
 */
export const pageNumber = (cursor: string | undefined, first: number, size?: number): number => {
  if (cursor === undefined) return first;
  const [, page, ofSize] = /^(\d{1,9})(?:\/(\d{1,9}))?$/.exec(cursor) ?? [];
  if (page === undefined || ofSize !== size?.toString()) throw new OperationFailure(invalidCursor);
  return Number(page);
};

/** What a list with further pages needs from the runner. */
export const cursors = {
  /** Returns the input with what its cursor holds. */
  read: (operation: string, input: Filters): Filters => {
    const { cursor } = input;
    return typeof cursor === 'string' ? { ...input, cursor: readCursor(operation, input, cursor) } : input;
  },
  make: cursorOf,
};
