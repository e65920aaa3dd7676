import { describe, expect, it } from 'vitest';
import { startServiceTypes } from '../../../lib/tools/adopt/service-types.ts';

/** Returns the declarations for the schema `Root` among others. */
const declared = (schemas: Readonly<Record<string, unknown>>): readonly string[] => {
  const types = startServiceTypes({ schemas });
  types.typeOf({ value: { $ref: '#/schemas/Root' }, at: '#/use' }, 'Use');
  return types.declarations();
};

const typeOf = (schema: unknown): string => (declared({ Root: schema })[0] ?? '').replace('export type Root = ', '');

describe('the type of a schema', () => {
  it.each([
    { schema: { type: 'string' }, type: 'string;' },
    { schema: { type: 'integer', nullable: true }, type: 'number | null;' },
    { schema: { type: 'string', 'x-nullable': true }, type: 'string | null;' },
    { schema: { type: ['string', 'null'] }, type: 'string | null;' },
    { schema: { type: ['string', 'integer'] }, type: 'string | number;' },
    { schema: { enum: ['a', "b'", 1, null] }, type: String.raw`"a" | "b'" | 1 | null;` },
    { schema: { const: 'a' }, type: '"a";' },
    { schema: { type: 'array', items: { enum: ['a', 'b'] } }, type: 'readonly ("a" | "b")[];' },
    { schema: { type: 'array' }, type: 'readonly unknown[];' },
    { schema: { type: 'object' }, type: '{ readonly [name: string]: unknown };' },
    { schema: { additionalProperties: { type: 'number' } }, type: '{ readonly [name: string]: number };' },
    {
      schema: { properties: { a: { type: 'string' }, 'b-c': true }, required: ['a'] },
      type: '{ readonly a: string; readonly "b-c"?: unknown; };',
    },
    { schema: { type: 'null' }, type: 'null;' },
    { schema: { oneOf: [{ type: 'string' }, { type: 'null' }] }, type: 'string | null;' },
    {
      schema: { properties: { a: { type: 'string' } }, allOf: [{ anyOf: [{ const: 1 }, { const: 2 }] }] },
      type: '{ readonly a?: string; } & (1 | 2);',
    },
    { schema: {}, type: 'unknown;' },
    { schema: true, type: 'unknown;' },
    { schema: false, type: 'never;' },
    { schema: 'nonsense', type: 'unknown;' },
    { schema: { type: 'file' }, type: 'unknown;' },
    { schema: { type: 'string', required: 7, properties: [] }, type: '{ readonly [name: string]: unknown };' },
  ])('$schema is $type', ({ schema, type }) => {
    expect(typeOf(schema)).toBe(type);
  });

  it('that contains itself refers to itself', () => {
    expect(typeOf({ properties: { parent: { $ref: '#/schemas/Root' } } })).toBe('{ readonly parent?: Root; };');
  });

  it('that is part of itself lacks this part, as TypeScript allows no circular alias', () => {
    const types = startServiceTypes({
      schemas: {
        Root: { allOf: [{ $ref: '#/schemas/Other' }], properties: { a: {} } },
        Other: { oneOf: [{ $ref: '#/schemas/Root' }, { type: 'string' }] },
      },
    });
    types.typeOf({ value: { $ref: '#/schemas/Root' }, at: '#/use' }, 'Use');
    expect(types.declarations()).toEqual(['export type Root = { readonly a?: unknown; };']);
    expect([...types.gaps]).toEqual(['the schema `#/schemas/Root` contains itself, so its type has no such part']);
  });

  it('lacks only the parts that lead back to it', () => {
    const part = (...names: readonly string[]) => ({ allOf: names.map((name) => ({ $ref: `#/schemas/${name}` })) });
    expect(
      declared({ Root: part('A', 'C'), A: part('B', 'C'), B: part('A', 'C'), C: { type: 'string' } }).toSorted(),
    ).toEqual(['export type A = C;', 'export type C = string;', 'export type Root = A & C;']);
  });

  it('is wider than an enumeration with more than 500 words', () => {
    expect(typeOf({ type: 'string', enum: Array.from({ length: 501 }, (_, index) => `w${index}`) })).toBe('string;');
  });

  it('has a name that the adapter does not define', () => {
    expect(declared({ Root: { properties: { a: { $ref: '#/schemas/State' } } }, State: { type: 'string' } })).toEqual([
      'export type Root = { readonly a?: StateModel; };',
      'export type StateModel = string;',
    ]);
  });
});

it('startServiceTypes rejects more than 2,000 schemas', () => {
  const schemas = Object.fromEntries(
    Array.from({ length: 2_001 }, (_, index) => [
      `S${index}`,
      { properties: { a: { $ref: `#/schemas/S${index + 1}` } } },
    ]),
  );
  expect(() => declared({ ...schemas, Root: { properties: { a: { $ref: '#/schemas/S0' } } } })).toThrow(
    'too_many_schemas',
  );
});

it('startServiceTypes needs as many steps as a chain of schemas is long', () => {
  const length = 10_000;
  const links = Array.from({ length }, (_, index) => [`S${index}`, { allOf: [{ $ref: `#/schemas/S${index + 1}` }] }]);
  let reads = 0;
  const schemas = new Proxy<Record<string, unknown>>(
    { ...Object.fromEntries(links), [`S${length}`]: {}, Root: { allOf: [{ $ref: '#/schemas/S0' }] } },
    {
      get: (all, name) => {
        reads += 1;
        return all[String(name)];
      },
    },
  );
  expect(() => declared(schemas)).toThrow('too_many_schemas');
  expect(reads).toBeLessThan(3 * length);
});
