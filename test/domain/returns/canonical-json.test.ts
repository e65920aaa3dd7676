import canonicalize from 'canonicalize';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { canonicalJson, isSame } from '../../../lib/domain/returns/history/canonical-json.ts';
import { runs } from '../../support/samples.ts';

describe('canonicalJson', () => {
  it('writes the same text as an independent implementation of RFC 8785', () => {
    fc.assert(
      fc.property(fc.jsonValue({ noUnicodeString: false }), (value) => {
        expect(canonicalJson(value)).toBe(canonicalize(value));
      }),
    );
  });

  it('writes numbers and sorts members as in RFC 8785, appendix B and section 3.2.3', () => {
    expect(canonicalJson([Number('333333333.33333329'), 1e30, 4.5, 2e-3, 0.000000000000000000000000001, -0])).toBe(
      '[333333333.3333333,1e+30,4.5,0.002,1e-27,0]',
    );
    const members = { '\u20ac': 1, '\r': 2, '\ufb33': 3, '1': 4, '\u{1f600}': 5, '\u0080': 6, '\u00f6': 7 };
    expect(Object.values(JSON.parse(canonicalJson(members)) as object)).toHaveLength(7);
    expect(canonicalJson(members)).toBe('{"\\r":2,"1":4,"\u0080":6,"\u00f6":7,"\u20ac":1,"\u{1f600}":5,"\ufb33":3}');
  });

  it('omits members that are undefined', () => {
    expect(canonicalJson({ a: undefined, b: [null] })).toBe('{"b":[null]}');
  });

  it.each([Number.NaN, Number.POSITIVE_INFINITY, 1n, '\ud800', undefined, () => 1])('throws for %s', (value) => {
    expect(() => canonicalJson(value)).toThrow(TypeError);
  });
});

describe('isSame', () => {
  it('agrees with the canonical forms', () => {
    // Few names and values, so that many pairs are the same.
    const leaf = fc.constantFrom<unknown>(null, undefined, 0, -0, 1, '', '1', true);
    const { value } = fc.letrec((tie) => ({
      value: fc.oneof(leaf, fc.array(tie('item'), { maxLength: 2 }), tie('object')),
      item: fc.oneof(
        leaf.filter((one) => one !== undefined),
        tie('object'),
      ),
      object: fc.dictionary(fc.constantFrom('a', 'b', '0', '__proto__'), tie('value'), { maxKeys: 3 }),
    }));
    const form = (one: unknown) => canonicalJson(one ?? null);
    fc.assert(
      fc.property(value, value, (one, other) => {
        expect(isSame(one, other)).toBe(form(one) === form(other));
        expect(isSame(one, structuredClone(one))).toBe(true);
      }),
      {
        numRuns: runs(2000),
        examples: [
          [{ ['__proto__']: {} }, {}],
          [[], {}],
          [{ a: undefined }, {}],
          [{ a: null }, {}],
        ],
      },
    );
  });
});
