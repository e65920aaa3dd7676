import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { path, queryText, UnsafePath } from '../../lib/adapters/path.ts';

describe('path', () => {
  it('keeps any value in its own step', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary', minLength: 1 }), (value) => {
        fc.pre(value !== '.' && value !== '..' && value.isWellFormed());
        const url = new URL(`https://service.example/api${path`/rma/${value}/approve`}?x=1`);
        expect(url.pathname.split('/')).toHaveLength(5);
        expect(decodeURIComponent(url.pathname.split('/')[3] ?? '')).toBe(value);
        expect(url.search).toBe('?x=1');
      }),
    );
  });

  it.each(['', '.', '..', '\ud83d'])('rejects %j, which would reach another path', (value) => {
    expect(() => path`/rma/${value}/parcels/${1}`).toThrow(new UnsafePath('/rma/*/parcels/*', value));
  });

  it.each([undefined, null, {}, ['1'], Number.NaN, Infinity, 1.5])(
    'rejects %j of an answer, which its description makes text or an integer',
    (value) => {
      expect(() => path`/rma/${value as never}`).toThrow(TypeError);
    },
  );

  it('takes an encoded step of a path as text', () => {
    expect(path`/rma/${'%2e%2e'}`).toBe('/rma/%252e%252e');
  });
});

describe('queryText', () => {
  it('leaves out absent values, and repeats lists', () => {
    expect(queryText({ page: 2, state: ['OPEN', 'a&b'], order: undefined, all: true })).toBe(
      '?page=2&state=OPEN&state=a%26b&all=true',
    );
  });

  it('is empty without values', () => {
    expect([queryText(), queryText({ order: undefined })]).toEqual(['', '']);
  });
});
