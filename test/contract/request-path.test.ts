import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Operation } from '../../lib/contract/operation.ts';
import * as operations from '../../lib/contract/operations.ts';
import { requestPath } from '../../lib/contract/request-path.ts';
import { runs } from '../support/samples.ts';

const withParameters = Object.values<Operation>(operations).filter(({ path }) => path.includes('{'));
const part = fc.oneof(
  fc.string({ unit: 'binary' }),
  fc.string({ unit: fc.constantFrom('.', '/', '\\', '%', '2', 'e', 'E', '?', '#', ';', '\t', 'a') }),
  fc.string({ unit: fc.integer({ min: 0xd7_00, max: 0xe0_00 }).map((code) => String.fromCharCode(code)) }),
);

describe('requestPath', () => {
  it('keeps the path of the operation for any parameter that it accepts', () => {
    fc.assert(
      fc.property(fc.constantFrom(...withParameters), part, (operation, value) => {
        const names = Array.from(operation.path.matchAll(/\{(\w+)\}/g), ([, name = '']) => name);
        const filled = requestPath(operation, Object.fromEntries(names.map((name) => [name, value])));
        fc.pre(filled.ok);
        const { pathname, search, hash } = new URL(filled.value, 'https://api.example');
        const parts = pathname.split('/').map((each) => decodeURIComponent(each));
        const template = operation.path.split('/');
        expect([search, hash, parts]).toEqual(['', '', template.map((each) => (each.startsWith('{') ? value : each))]);
      }),
      { numRuns: runs(1_000) },
    );
  });

  it.each(['', '.', '..', '\uD800', undefined, null, 0.5, {}, ['..']])('rejects %j', (returnId) => {
    expect(requestPath(operations.getReturn, { returnId })).toMatchObject({
      ok: false,
      failure: { errors: [{ path: '/returnId', code: 'pattern' }] },
    });
  });
});
