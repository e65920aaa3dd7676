import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type CoreShape, fitCore } from '../../lib/adapters/fit-core.ts';

const shape: CoreShape = {
  returnId: /^[a-z0-9]{1,8}$/,
  status: new Set(['requested', 'approved']),
  'createdAt?': 'instant',
  'money?': { amount: 'count', currency: /^[A-Z]{3}$/ },
  lines: [{ 'sku?': 'string', quantity: 'count' }],
};

const good = () => ({
  returnId: 'a1',
  status: 'approved',
  createdAt: '2026-11-20T08:00:00Z',
  money: { amount: 1234, currency: 'EUR' },
  lines: [{ sku: 'HAT', quantity: 1 }],
});

describe('fitCore', () => {
  it('accepts an answer that fits, and leaves it as it is', () => {
    const answer = good();
    expect(fitCore(answer, shape)).toBeUndefined();
    expect(answer).toEqual(good());
  });

  it('accepts absent optional members', () => {
    expect(fitCore({ ...good(), createdAt: undefined, lines: [{ quantity: 0 }] }, shape)).toBeUndefined();
  });

  it.each([
    ['/returnId', { returnId: '../a' }],
    ['/returnId', { returnId: undefined }],
    ['/status', { status: 'OPEN' }],
    ['/createdAt', { createdAt: '2026-11-20T08:00:00+01:00' }],
    ['/createdAt', { createdAt: '2026-02-30T08:00:00Z' }],
    ['/createdAt', { createdAt: null }],
    ['/money/amount', { money: { amount: 12.5, currency: 'EUR' } }],
    ['/money/amount', { money: { amount: -1, currency: 'EUR' } }],
    ['/money/currency', { money: { amount: 1 } }],
    ['/lines', { lines: {} }],
    ['/lines/1/quantity', { lines: [{ quantity: 1 }, { quantity: '2' }] }],
    ['/lines/0', { lines: ['HAT'] }],
  ])('names %s of a misfit, and no value', (path, change) => {
    const found = fitCore({ ...good(), ...change }, shape);
    expect(found?.path).toBe(path);
    expect(found?.expected).not.toContain('OPEN');
  });

  it('removes members that the contract does not have, at any depth', () => {
    const answer = {
      ...good(),
      email: 'ada@example.com',
      money: { amount: 1, currency: 'EUR', otp: '991122' },
      lines: [{ quantity: 1, customer: { name: 'Ada' } }],
    };
    expect(fitCore(answer, shape)).toBeUndefined();
    expect(JSON.stringify(answer)).not.toMatch(/ada|otp|Ada/);
  });

  it('lets no member leave that the shape does not have, whatever the answer is', () => {
    fc.assert(
      fc.property(fc.object({ maxDepth: 3 }), (foreign) => {
        const answer: Record<string, unknown> = { ...foreign, ...good() };
        expect(fitCore(answer, shape)).toBeUndefined();
        expect(Object.keys(answer).toSorted()).toEqual(Object.keys(good()).toSorted());
      }),
    );
  });
});
