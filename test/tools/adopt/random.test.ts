import fc from 'fast-check';
import { parseSync } from 'oxc-parser';
import { describe, expect, it } from 'vitest';
import { adopt } from '../../../lib/tools/adopt/adopt.ts';
import { bytesOf } from './descriptions.ts';
import { runs } from '../../support/samples.ts';

/* Random descriptions: most have the form of a description, and any value can stand anywhere. They are small. */

const names = ['Return', 'Line', 'State', '__proto__', 'a/b', '~`${x}'];
const pointer = (name: string): string => `#/components/schemas/${name.replaceAll('~', '~0').replaceAll('/', '~1')}`;

const few = { maxKeys: 3, maxLength: 3 };
const anyValue = fc.jsonValue({ maxDepth: 1, depthSize: 'xsmall' });
const word = fc.oneof(
  fc.constantFrom('id', 'status', 'items', 'lines', 'orderId', 'data', 'returns', 'action', 'createdAt', '__proto__'),
  fc.string({ unit: 'binary', maxLength: 8 }),
);
const types = fc.constantFrom('string', 'integer', ['string', 'null'], 'object', 7);

const { schema } = fc.letrec((tie) => ({
  schema: fc.oneof(
    { maxDepth: 3, depthSize: 'small' },
    fc.constantFrom(...names).map((name) => ({ $ref: pointer(name) })),
    fc.record({ type: types }),
    fc.record({ type: fc.constant('string'), enum: fc.array(fc.oneof(word, anyValue), few) }),
    anyValue,
    fc.record({ type: fc.constant('array'), items: tie('schema') }),
    fc.record({ properties: fc.dictionary(word, tie('schema'), few), required: fc.array(word, few) }),
    fc.record({ oneOf: fc.array(tie('schema'), few), nullable: fc.boolean() }),
    fc.record({ allOf: fc.array(tie('schema'), few), additionalProperties: tie('schema') }),
  ),
}));

const body = fc.record({
  content: fc.dictionary(
    fc.constantFrom('application/json', 'application/x+json', 'text/plain', '`'),
    fc.record({ schema }),
    { maxKeys: 2 },
  ),
});
const parameter = fc.record({
  name: fc.oneof(word, fc.constantFrom('page', 'limit', 'cursor')),
  in: fc.constantFrom('query', 'path', 'header'),
  required: fc.boolean(),
  schema,
});
const operation = fc.oneof(
  {
    weight: 9,
    arbitrary: fc.record(
      {
        parameters: fc.array(parameter, few),
        requestBody: body,
        responses: fc.dictionary(fc.constantFrom('200', '202', '2XX', '404', 'default'), body, few),
      },
      { requiredKeys: [] },
    ),
  },
  { weight: 1, arbitrary: anyValue },
);
const segment = fc.oneof(
  {
    weight: 5,
    arbitrary: fc.constantFrom(
      'returns',
      'devolucoes',
      '{id}',
      '{returnId}',
      'approve',
      'actions',
      'reasons',
      'search',
    ),
  },
  { weight: 1, arbitrary: fc.string({ unit: 'binary', maxLength: 8 }) },
);
const path = fc.array(segment, { minLength: 1, maxLength: 4 }).map((segments) => `/${segments.join('/')}`);
const methods = fc.constantFrom('get', 'post', 'put', 'delete', 'patch');
const securityScheme = fc.record({ type: fc.constantFrom('apiKey', 'oauth2'), in: fc.constant('header'), name: word });
const description = fc.record({
  openapi: fc.constantFrom('3.0.1', '3.1.0'),
  servers: fc.array(fc.record({ url: fc.oneof(fc.webUrl(), fc.string()) }), few),
  paths: fc.dictionary(path, fc.dictionary(methods, operation, few), { maxKeys: 5 }),
  components: fc.record({
    schemas: fc
      .tuple(...names.map(() => schema))
      .map((all) => Object.fromEntries(all.map((value, index) => [names[index] ?? '', value]))),
    securitySchemes: fc.dictionary(word, securityScheme, few),
  }),
});

describe('adopt', () => {
  it('makes TypeScript of each description that it can read', () => {
    fc.assert(
      fc.property(description, (value) => {
        const result = adopt(bytesOf(JSON.stringify(value)), 'acme');
        fc.pre(result.ok);
        const sources = [...result.value.files].filter(([name]) => name.endsWith('.ts'));
        expect(sources.flatMap(([name, text]) => parseSync(name, text).errors)).toEqual([]);
      }),
      { numRuns: runs(200) },
    );
  });

  it('returns a failure for each value and each text that is no description', () => {
    const text = fc.oneof(fc.json(), fc.string({ unit: 'binary' }), fc.string());
    fc.assert(
      fc.property(text, (value) => {
        expect(adopt(bytesOf(value), 'acme').ok).toBe(false);
      }),
    );
  });
});
