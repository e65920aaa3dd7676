import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { OfferableName } from '../../../lib/adapters/adapter.ts';
import { type CoreShape, fitCore } from '../../../lib/adapters/fit-core.ts';
import { contract, type OperationName } from '../../../lib/contract/contract.ts';
import type { OperationEntry } from '../../../lib/contract/entry.ts';
import { writeCoreShapes } from '../../../lib/tools/build/answer-shapes.ts';
import { commandAnswer } from '../../../lib/tools/template/adapters/core-schema.ts';
import { type AnyAdapter, offeredEntries } from '../../../lib/tools/template/adapters/derive-contract.ts';
import { exampleAnswer } from '../../support/example-answer.ts';

/* The core of adapters is part of the contract: what standalone mode answers fits both. */

const names = ['getReturn', 'listReturns', 'findReturns', 'createReturn', 'approve', 'receive', 'listReasons'] as const;

const adapterOf = (offered: readonly OfferableName[]): AnyAdapter => {
  const mappings = offered.map((name) => {
    const { query, body } = contract[name] as OperationEntry;
    const accepts = [query, body].flatMap(({ required }) => [...(required ?? [])]);
    return [name, { accepts, repeat: { rule: 'never' } }];
  });
  return {
    name: 'acme',
    title: 'ACME',
    failures: {},
    operations: Object.fromEntries(mappings),
  } as unknown as AnyAdapter;
};

let folder: string;
const shapes = new Map<OfferableName, CoreShape>();

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'shapes-'));
  await writeCoreShapes(folder, offeredEntries(adapterOf(names)));
  for (const name of names) {
    const module = (await import(pathToFileURL(join(folder, 'answers', `${name}.js`)).href)) as Record<
      string,
      CoreShape
    >;
    const shape = module[name];
    if (shape !== undefined) shapes.set(name, shape);
  }
});
afterAll(() => rm(folder, { recursive: true, force: true }));

const misfitOf = (name: OfferableName, answer: unknown) => fitCore(answer, shapes.get(name) ?? 'any');

describe('core shape', () => {
  it.each(names)('accepts what standalone mode answers to %s', (name) => {
    expect(misfitOf(name, structuredClone(exampleAnswer(name)))).toBeUndefined();
  });

  it('accepts a return that has the core only', () => {
    const core = {
      returnId: '12345',
      status: 'approved',
      order: { orderId: '1001' },
      createdAt: '2026-11-20T08:00:00Z',
      lines: [{ lineId: '1', quantities: { requested: 1 } }],
    };
    expect(misfitOf('getReturn', core)).toBeUndefined();
  });

  it.each(['returnId', 'status', 'order', 'createdAt', 'lines'])('rejects a return without %s', (name) => {
    const answer = { ...(exampleAnswer('getReturn') as Record<string, unknown>), [name]: undefined };
    expect(misfitOf('getReturn', answer)?.path).toBe(`/${name}`);
  });

  it.each([
    ['getReturn', '/metadata', { ...exampleAnswer('getReturn'), metadata: { a: { email: 'a@b.example' } } }],
    [
      'listReasons',
      '/items/0/labels',
      { items: [{ code: 'a', labels: { 'pt-BR': { email: 'a@b.example' } } }], nextCursor: null },
    ],
  ] as const)('rejects an answer to %s with a foreign object in %s', (name, path, answer) => {
    expect(misfitOf(name, answer)?.path).toBe(path);
  });

  it.each([
    ['getHistory', '/items/*/data'],
    ['getDecision', '/settings'],
    ['publish', '/document'],
    ['getWithdrawalReceipt', '/payload'],
    ['diffVersions', '/changes/*/before'],
  ] as const)('does not exist for %s, because nothing bounds %s', async (name, path) => {
    await expect(writeCoreShapes(folder, offeredEntries(adapterOf([name])))).rejects.toThrow(
      `${name}: an adapter cannot offer it, because the contract does not say what ${path} of its answer contains.`,
    );
  });

  it('removes the customer and free texts from the answer to a command', () => {
    const answer = structuredClone({ ...exampleAnswer('getReturn') });
    expect(JSON.stringify(answer)).toContain('@');
    expect(misfitOf('approve', answer)).toBeUndefined();
    expect(answer).not.toHaveProperty('customer');
    expect(JSON.stringify(answer)).not.toMatch(/@|"note"|"trackingNumber"/);
  });
});

const isRecord = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null;

/** Returns the descriptions of all fields in a schema. */
const descriptionsIn = (value: unknown): readonly unknown[] =>
  isRecord(value) ? [value['x-about'], ...Object.values(value).flatMap(descriptionsIn)] : [];

/** Returns a plain copy of a schema without descriptions of fields. */
const withoutDescriptions = (schema: unknown): object =>
  JSON.parse(JSON.stringify(schema, (name, value: unknown) => (name === 'x-about' ? undefined : value))) as object;

describe('schema of the answer to a command', () => {
  const commands = (Object.keys(contract) as OperationName[]).filter((name) => contract[name].idempotencyKey);

  it.each(commands)('does not depend on the descriptions of fields in %s', (name) => {
    const { answers } = contract[name];
    expect(commandAnswer(withoutDescriptions(answers))).toEqual(withoutDescriptions(commandAnswer(answers)));
  });

  it.each(commands)('has no field in %s whose description says that commands leave it out', (name) => {
    const left = descriptionsIn(commandAnswer(contract[name].answers));
    expect(left.filter((text) => /commands leave (it|them) out/.test(String(text)))).toEqual([]);
  });
});
