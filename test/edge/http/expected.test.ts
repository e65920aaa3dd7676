import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import * as operations from '../../../lib/contract/operations.ts';
import { contract, type OperationName } from '../../../lib/contract/contract.ts';
import type { OperationEntry } from '../../../lib/contract/entry.ts';
import { flatInputValidator } from '../../../lib/contract/validation/with-validation.ts';
import { validateInput, type Validators } from '../../../lib/contract/validation/input.ts';
import { unknownField } from '../../../lib/contract/validation/unknown-field.ts';

type Node = { readonly [name: string]: unknown };

const isNode = (value: unknown): value is Node => typeof value === 'object' && value !== null;

/** Returns every object of a document, with its JSON Pointer. */
const nodesOf = (value: unknown, path = ''): readonly (readonly [path: string, node: Node])[] =>
  isNode(value)
    ? [[path, value], ...Object.entries(value).flatMap(([name, inner]) => nodesOf(inner, `${path}/${name}`))]
    : [];

const isSchema = ({ type, anyOf, pattern }: Node): boolean =>
  typeof type === 'string' || Array.isArray(anyOf) || typeof pattern === 'string';

/** Returns the string schemas with a pattern or format but without words for it. */
const wordless = (document: unknown): readonly string[] =>
  nodesOf(document)
    .filter(([, node]) => isSchema(node))
    .filter(([, node]) => ['pattern', 'format', 'patternProperties'].some((keyword) => keyword in node))
    // The names in an open map are arbitrary.
    .filter(([, node]) => !isNode(node['patternProperties']) || node['additionalProperties'] === false)
    .filter(([, node]) => !/^(a|an|the|at|1) .*(such as|to) /.test(String(node['x-expected'])))
    .map(([path]) => path);

/** Returns a value with every field of a schema, each string with text that fits no pattern. */
const unfit = (schema: Node): unknown => {
  const { type, properties = {}, items, anyOf, patternProperties, enum: words } = schema;
  if (Array.isArray(anyOf)) return unfit(anyOf[0] as Node);
  if (Array.isArray(words)) return words[0];
  if (type === 'array') return [unfit(items as Node)];
  if (isNode(patternProperties)) return { ' ': unfit(Object.values(patternProperties)[0] as Node) };
  if (type === 'object')
    return Object.fromEntries(Object.entries(properties as Node).map(([name, inner]) => [name, unfit(inner as Node)]));
  return type === 'string' ? ' \n' : 1;
};

const load = async (name: string) => (await import(`../../../dist/contract/validators/${name}.js`)) as Validators;

/** Signs of a regular expression: classes, groups, escapes, repetitions, anchors. */
const expression = /\\|\[[^\]]*-|\(\?|\{\d|\^|\$$/;

describe('expected values in words', () => {
  it.each(['openapi', 'asyncapi'])('exist at every pattern and format of the %s document', (name) => {
    const document = JSON.parse(readFileSync(`dist/contract/${name}.json`, 'utf8')) as unknown;
    expect(nodesOf(document).filter(([, node]) => 'x-expected' in node).length).toBeGreaterThan(20);
    expect(wordless(document)).toEqual([]);
  });

  it('exist in the schemas of every operation', () => {
    expect(wordless(JSON.parse(JSON.stringify(contract)))).toEqual([]);
  });

  it('are in the error of every operation for invalid text, instead of a regular expression', async () => {
    let invalidTexts = 0;
    for (const [name, { params, query, body }] of Object.entries<OperationEntry>(contract)) {
      const parts = JSON.parse(JSON.stringify({ path: params, query, body })) as Record<
        'path' | 'query' | 'body',
        Node
      >;
      const result = validateInput(await load(name), {
        path: unfit(parts.path) as Record<string, unknown>,
        query: unfit(parts.query) as Record<string, unknown>,
        body: unfit(parts.body) as Record<string, unknown>,
      });
      const errors = result.ok ? [] : (result.failure.errors ?? []);
      for (const { message } of errors) expect(message).not.toMatch(expression);
      const formal = errors.filter(({ code }) => code === 'pattern' || code === 'format');
      for (const { message } of formal) expect(message).toMatch(/^must be (a|an|the|at|1) .*such as /);
      invalidTexts += formal.length;
    }
    expect(invalidTexts).toBeGreaterThan(200);
  });

  it('are reported once for an invalid time', async () => {
    const result = validateInput(await load('getReturn'), {
      path: { returnId: 'ret_01KAJ3V9Z8QW4T6R2M5N7P0XYB' },
      query: { asOf: '2026-02-30T00:00:00Z' },
      body: {},
    });
    expect(result).toMatchObject({
      failure: {
        errors: [
          {
            path: '/asOf',
            code: 'format',
            message: 'must be a time that exists, such as 2026-11-20T08:00:00Z or 2026-11-20T09:00:00+01:00',
          },
        ],
      },
    });
  });
});

describe('time with an offset', () => {
  const returnId = 'ret_01KAJ3V9Z8QW4T6R2M5N7P0XYB';

  it('is in UTC after validation: in the query', async () => {
    const query = { asOf: '2026-11-20T09:00:00+01:00' };
    const result = validateInput(await load('getReturn'), { path: { returnId }, query, body: {} });
    expect(result).toEqual({ ok: true, value: { returnId, asOf: '2026-11-20T08:00:00Z' } });
    expect(query.asOf).toBe('2026-11-20T09:00:00+01:00');
  });

  it('is in UTC after validation: in the body, in lists and nested objects', async () => {
    const delivery = (at: string) => ({ quantity: 1, at });
    const line = (at: string) => ({
      lineId: '1',
      quantity: 1,
      unitPrice: { amount: 1, currency: 'EUR' },
      deliveries: [delivery(at)],
    });
    const body = (at: string) => ({ currency: 'EUR', observedAt: at, lines: [line(at)] });
    const path = { platform: 'shopify', orderId: '1' };
    const result = validateInput(await load('registerOrder'), {
      path,
      query: {},
      body: body('2026-11-20T03:00:00.25-05:00'),
    });
    expect(result).toEqual({ ok: true, value: { ...path, ...body('2026-11-20T08:00:00.25Z') } });
  });

  it('is in UTC after validation: for callers within the bundle', async () => {
    const check = flatInputValidator(operations.listReturns, await load('listReturns'));
    expect(check({ createdFrom: '2026-11-20T09:00:00+01:00' })).toEqual({
      ok: true,
      value: { createdFrom: '2026-11-20T08:00:00Z' },
    });
  });
});

describe('error for an unknown field', () => {
  it.each([
    [
      'quanttiy',
      ['reason', 'condition', 'quantity'],
      'Unknown field "quanttiy". Did you mean "quantity"? Allowed: quantity, reason, condition',
    ],
    ['qty', ['reason', 'quantity'], 'Unknown field "qty". Allowed: quantity, reason'],
    ['Reason', ['note', 'reason'], 'Unknown field "Reason". Did you mean "reason"? Allowed: reason, note'],
    ['a b', ['note'], 'Unknown field. Allowed: note'],
    ['ada@example.com', ['note'], 'Unknown field. Allowed: note'],
    ['x'.repeat(41), ['note'], 'Unknown field. Allowed: note'],
    ['x', [], 'is not allowed: no field is expected here'],
  ])('suggests for %s, of %s', (name, allowed, message) => {
    expect(unknownField(name, allowed)).toBe(message);
  });

  it('names at most twelve fields', () => {
    const names = Array.from({ length: 40 }, (_, index) => `field${index}`);
    const message = unknownField('field39', names.slice(0, 39));
    expect(message).toMatch(/, …$/);
    expect(message.match(/field\d+/g)).toHaveLength(1 + 1 + 12);
  });

  it('names the fields of the same object, or of the query with dryRun where it is supported', async () => {
    const message = async (name: OperationName, parts: object) => {
      const result = validateInput(await load(name), { path: {}, query: {}, body: {}, ...parts });
      return result.ok ? [] : (result.failure.errors ?? []).filter(({ code }) => code === 'unknown_field');
    };
    expect(await message('createReturn', { body: { lines: [{ quanttiy: 1 }] } })).toEqual([
      {
        path: '/lines/0/quanttiy',
        code: 'unknown_field',
        message:
          'Unknown field "quanttiy". Did you mean "quantity"? Allowed: quantity, reason, condition, resolution, orderLineId',
      },
    ]);
    expect(await message('createReturn', { query: { dryrun: 'true' } })).toMatchObject([
      { path: '/dryrun', message: 'Unknown field "dryrun". Did you mean "dryRun"? Allowed: dryRun' },
    ]);
    expect(await message('getReturn', { query: { asof: 'x' } })).toMatchObject([
      { message: 'Unknown field "asof". Did you mean "asOf"? Allowed: asOf' },
    ]);
    expect(await message('updateReturn', { body: { metadata: { 'a b': 'x' } } })).toMatchObject([
      { path: '/metadata/a b', message: expect.stringMatching(/^must be a name such as gift_message/) },
    ]);
  });

  it('is written only as often as a response lists errors', async () => {
    const body = Object.fromEntries(Array.from({ length: 20_000 }, (_, index) => [`field${index}`, 1]));
    const result = validateInput(await load('registerOrder'), { path: {}, query: {}, body });
    expect(result.ok ? 0 : result.failure.errors?.length).toBeLessThan(200);
  });
});

it('validators exist for every operation', () => {
  expect(Object.keys(contract).toSorted()).toEqual(Object.keys(operations).toSorted());
});
