import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { cursorOf, pageNumber, readCursor } from '../../lib/adapters/cursor.ts';
import { OperationFailure } from '../../lib/adapters/failure.ts';

const invalid = { failure: { code: 'invalid_cursor', errors: [{ path: '/cursor' }] } };

const thrownBy = (run: () => unknown): unknown => {
  try {
    return run();
  } catch (error) {
    return error instanceof OperationFailure ? { failure: error.failure } : error;
  }
};

describe('readCursor', () => {
  it('returns what the cursor of the same list holds, with any limit and order of filters', () => {
    fc.assert(
      fc.property(fc.string(), fc.integer(), fc.integer(), (next, first, second) => {
        const cursor = cursorOf('listReturns', { status: 'open', sku: 'A', limit: first }, next);
        expect(readCursor('listReturns', { sku: 'A', status: 'open', limit: second, cursor }, cursor)).toBe(next);
      }),
    );
  });

  it.each([
    ['another list', 'listReasons', {}],
    ['another filter', 'listReturns', { status: 'closed' }],
  ])('fails for the cursor of %s', (_, operation, filters) => {
    const cursor = cursorOf('listReturns', { status: 'open' }, '2');
    expect(thrownBy(() => readCursor(operation, filters, cursor))).toMatchObject(invalid);
  });

  it('fails for content whose cursor no request can have', () => {
    const misfit = { failure: { code: 'dependency_refused', errors: [{ path: '/nextCursor' }] } };
    expect(thrownBy(() => cursorOf('listReturns', {}, 'x'.repeat(2_000)))).toMatchObject(misfit);
    expect(cursorOf('listReturns', {}, 'x'.repeat(1_400)).length).toBeLessThanOrEqual(2_000);
  });

  it('fails for any other text', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), (text) => {
        expect(thrownBy(() => readCursor('listReturns', {}, text))).toMatchObject(invalid);
      }),
    );
  });
});

describe('pageNumber', () => {
  it('is the first page without a cursor', () => expect(pageNumber(undefined, 1)).toBe(1));
  it('is the number of the cursor', () => expect(pageNumber('17', 1)).toBe(17));
  it.each(['', '-1', '1.5', '1e3', '12345678901'])('fails for %j', (cursor) => {
    expect(thrownBy(() => pageNumber(cursor, 1))).toMatchObject(invalid);
  });
});
