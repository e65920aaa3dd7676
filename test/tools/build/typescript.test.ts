import { describe, expect, it } from 'vitest';
import { comment, declare, typeOf, type Schema } from '../../../lib/tools/build/typescript.ts';

describe('TypeScript of a schema', () => {
  it.each<[Schema, string]>([
    [{ type: 'integer' }, 'number'],
    [{ $ref: 'Money' }, 'Money'],
    [{ enum: ['a', "it's", 1, null] }, String.raw`'a' | 'it\'s' | 1 | null`],
    [{ const: 'a' }, "'a'"],
    [{ anyOf: [{ type: 'array', items: { $ref: 'Money' } }, { type: 'null' }] }, 'Money[] | null'],
    [{ type: 'array', items: { enum: ['a', 'b'] } }, "Array<'a' | 'b'>"],
    [{ type: 'object', patternProperties: { '^.*$': {} } }, '{ [name: string]: unknown }'],
    [{ type: 'object', properties: {} }, '{}'],
  ])('has the type of %j', (schema, type) => {
    expect(typeOf(schema)).toBe(type);
  });

  it('declares an object with its limits and optional members', () => {
    const schema = {
      type: 'object',
      required: ['id'],
      properties: { id: { type: 'string', pattern: '^*/$', maxLength: 9 }, at: { type: 'object', properties: {} } },
    };
    expect(declare('Thing', schema)).toBe(
      'export interface Thing {\n  /** pattern ^*\\/$, maxLength 9 */\n  id: string;\n  at?: {};\n}\n',
    );
  });

  it('quotes a name that is no TypeScript identifier', () => {
    const schema = { type: 'object', properties: { 'content-type': { type: 'string' } } };
    expect(declare('Headers', schema)).toBe("export interface Headers {\n  'content-type'?: string;\n}\n");
  });

  it('puts many names on separate lines', () => {
    const words = Array.from({ length: 20 }, (_, index) => `word-${index}`);
    expect(declare('Word', { enum: words })).toBe(
      `export type Word =\n${words.map((word) => `  | '${word}'`).join('\n')};\n`,
    );
  });

  it('fails for a schema without a TypeScript type', () => {
    expect(() => typeOf({ type: 'array' })).toThrow('no type for the schema {"type":"array"}');
    expect(() => typeOf({ allOf: [] })).toThrow('no type for the schema');
  });

  it('has a comment of several lines', () => {
    expect(comment('a', '', 'b')).toBe('/**\n * a\n *\n * b\n */\n');
  });
});
