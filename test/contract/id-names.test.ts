import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { pathNames, type Operation } from '../../lib/contract/operation.ts';
import * as operations from '../../lib/contract/operations.ts';
import { contract, type OperationName } from '../../lib/contract/contract.ts';

/* Checks that each id has one name in bodies, events and paths. */

type Schema = { readonly [keyword: string]: unknown };

const isSchema = (value: unknown): value is Schema => typeof value === 'object' && value !== null;

/** Returns every property of a schema at any depth, with its name and schema. */
const propertiesIn = (schema: unknown): readonly (readonly [string, Schema])[] => {
  if (!isSchema(schema)) return [];
  const own = isSchema(schema['properties']) ? (Object.entries(schema['properties']) as [string, Schema][]) : [];
  return [...own, ...Object.values(schema).flatMap(propertiesIn)];
};

const all: readonly Operation[] = Object.values(operations);
const outputOf = ({ name }: Operation) => contract[name as OperationName].answers;

/** Operations whose response belongs to the resource of the path, and so omits the parent's id. */
const withoutParent: Readonly<Record<string, readonly string[]>> = {
  getHistory: ['returnId'],
  getMessage: ['resourceId', 'sequence'],
  getWithdrawalHistory: ['withdrawalId'],
  testWebhookEndpoint: ['endpointId'],
  listWebhookDeliveries: ['endpointId'],
  getWebhookDelivery: ['endpointId'],
  redeliverWebhook: ['endpointId'],
  redeliverWebhooks: ['endpointId'],
};

describe('ids', () => {
  it('have a response field of the same name as in the path', () => {
    const missing = all.flatMap((operation) => {
      const names = new Set(propertiesIn(outputOf(operation)).map(([name]) => name));
      const lacking = pathNames(operation).filter((name) => !names.has(name));
      return lacking.length === 0 ? [] : [[operation.name, lacking]];
    });
    expect(Object.fromEntries(missing)).toEqual(withoutParent);
  });

  /** The name of each kind of id in paths, by its pattern. */
  const named = new Map(
    all.flatMap(({ name }) =>
      Object.entries(contract[name as OperationName].params.properties).flatMap(([parameter, schema]) => {
        const pattern = String((schema as Schema)['pattern']);
        return /^\^[a-z]+_/.test(pattern) ? [[pattern, parameter] as const] : [];
      }),
    ),
  );
  // No path contains a line id. Requests name it.
  named.set('^rln_[0-7][0-9A-HJKMNP-TV-Z]{25}$', 'lineId');

  it.each(['openapi', 'asyncapi'])('have the same name everywhere in the document %s', (document) => {
    const schema: unknown = JSON.parse(readFileSync(`dist/contract/${document}.json`, 'utf8'));
    const others = propertiesIn(schema).flatMap(([name, { pattern }]) => {
      const expected = named.get(String(pattern));
      return expected === undefined || expected === name ? [] : [`${name} instead of ${expected}`];
    });
    expect(named.size).toBeGreaterThan(7);
    expect([...new Set(others)]).toEqual([]);
  });
});
