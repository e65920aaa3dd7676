import { describe, expect, it } from 'vitest';
import { contract } from '../../../lib/contract/contract.ts';
import { isObject, type JsonObject } from '../../../lib/runtime/json.ts';
import { agentTools } from '../../../lib/tools/build/agent-tools.ts';
import { offers } from '../../../lib/tools/template/offer.ts';
import { api, tokenOf } from '../../support/api.ts';
import { createReturn } from '../../support/scenario.ts';
import { stack } from '../../support/stack.ts';
import { openAgent } from './agent.ts';
import { memberOf } from './member-of.ts';

/* Each tool beside its route: the same errors, by code and path. */

const tools = agentTools(offers.standalone);

/** Sends a request to the route of an operation. */
const overRest = async (name: string, given: JsonObject, dryRun: boolean) => {
  const { method, path, query } = contract[name as keyof typeof contract];
  const inPath = Array.from(path.matchAll(/\{(\w+)\}/g), ([, parameter]) => parameter ?? '');
  const filled = inPath.reduce((text, parameter) => text.replace(`{${parameter}}`, String(given[parameter])), path);
  const inQuery = Object.keys(query.properties);
  const search = new URLSearchParams(dryRun ? { dryRun: 'true' } : {});
  for (const parameter of inQuery)
    if (given[parameter] !== undefined) search.set(parameter, JSON.stringify(given[parameter]));
  const rest = Object.entries(given).filter(([field]) => !inPath.includes(field) && !inQuery.includes(field));
  const response = await fetch(`${stack().standalone.url}/v1${filled}?${search.toString()}`, {
    method,
    headers: {
      authorization: `Bearer ${await tokenOf('returns-admin')}`,
      'content-type': 'application/json',
      'idempotency-key': crypto.randomUUID(),
    },
    ...(method !== 'GET' && { body: JSON.stringify(Object.fromEntries(rest)) }),
  });
  return (await response.json()) as JsonObject;
};

/** Returns the fields of the input of a tool. */
const fieldsOf = (name: string): JsonObject =>
  tools.find(({ operation }) => operation.name === name)?.input['properties'] as JsonObject;

const unknownId = '00000000000000000000000000';

/** An input with a right shape for the path, and nothing else. */
const inputOf = (name: string, returnId: string): JsonObject => {
  const { path } = contract[name as keyof typeof contract];
  const values: Readonly<Record<string, unknown>> = {
    returnId,
    refundId: `rfd_${unknownId}`,
    decisionId: `dec_${unknownId}`,
    policyId: `pol_${unknownId}`,
    withdrawalId: `wdr_${unknownId}`,
    version: 1,
    platform: 'shopify',
    orderId: 'none',
  };
  return Object.fromEntries(Array.from(path.matchAll(/\{(\w+)\}/g), ([, field = '']) => [field, values[field]]));
};

/** What both say: the code with the paths of its errors, or that it is possible. */
const outcomeOf = (body: JsonObject): unknown => {
  const problem = isObject(body['error']) ? body['error'] : body;
  const errors = (problem['errors'] ?? []) as readonly { readonly path: string }[];
  return typeof problem['code'] === 'string'
    ? { code: problem['code'], paths: errors.map(({ path }) => path).toSorted() }
    : 'possible';
};

describe('a tool and its route', () => {
  it.each(tools.map(({ operation }) => operation.name))('%s: reject the same requests', async (name) => {
    const agent = await openAgent('standalone');
    const { id: returnId } = await createReturn(api('standalone'));
    const isCommand = contract[name as keyof typeof contract].idempotencyKey;
    const inputs = [
      inputOf(name, returnId),
      inputOf(name, `ret_${unknownId}`),
      { ...inputOf(name, returnId), lines: 'none' },
    ].filter((given) => !('lines' in given) || 'lines' in fieldsOf(name));
    for (const given of inputs) {
      const { body } = await agent.call(name, given);
      expect(outcomeOf(body)).toEqual(outcomeOf(await overRest(name, given, isCommand)));
    }
  });

  it('give the same values', async () => {
    const agent = await openAgent('standalone');
    const { id: returnId } = await createReturn(api('standalone'));
    const { body } = await agent.call('getReturn', { returnId });
    const { body: answer } = await api('standalone').get(`/returns/${returnId}`);
    for (const name of ['rmaNumber', 'status', 'version', 'createdAt'] as const)
      expect(memberOf(body, `answer.${name}`)).toBe((answer as unknown as JsonObject)[name]);
  });
});
