import { afterEach, describe, expect, it } from 'vitest';
import {
  approve,
  createReturn,
  recordRefund,
  recordRefundResult,
  registerOrder,
} from '../../../lib/contract/operations.ts';
import { platformFactFailure } from '../../../lib/edge/http/platform-facts.ts';
import { restoreEnvironment, stubEnvironment } from '../../support/environment.ts';

afterEach(restoreEnvironment);

const operations = { approve, createReturn, recordRefund, recordRefundResult, registerOrder };
type Name = keyof typeof operations;

/** Returns the failure for a caller with returns:write in a container with this environment. */
const failureOf = async (name: Name, input: object, clientId: string, environment: Record<string, string>) => {
  stubEnvironment(environment);
  return platformFactFailure(operations[name], { ...input }, { clientId, scopes: ['returns:write'] });
};

const observation = { observed: { platform: 'shopify' } };
const recordsOfListed = { PLATFORM_RECORDS: 'listed' };

describe('platform fact from a caller with returns:write', () => {
  it.each<[string, Name, object, string, Record<string, string>]>([
    ['an observation when no client is listed', 'approve', observation, 'shop', {}],
    ['an observation when the list is the word none', 'approve', observation, 'none', { PLATFORM_CLIENTS: 'none' }],
    ['an observation from another client', 'approve', observation, 'shop', { PLATFORM_CLIENTS: 'erp,shop2' }],
    ['an order when records need a listed client', 'registerOrder', {}, 'shop', recordsOfListed],
    ['a refund when records need a listed client', 'recordRefund', {}, 'shop', recordsOfListed],
    ['a refund result when records need a listed client', 'recordRefundResult', {}, 'shop', recordsOfListed],
  ])('returns insufficient_scope for %s', async (_, name, input, client, environment) => {
    const failure = await failureOf(name, input, client, environment);
    expect(failure?.code).toBe('insufficient_scope');
  });

  it.each<[string, Name, object, Record<string, string>]>([
    ['an observation from a listed client', 'approve', observation, { PLATFORM_CLIENTS: 'erp, shop' }],
    ['a command without observed', 'approve', {}, {}],
    ['a return of the service', 'createReturn', { managedBy: 'service' }, {}],
    ['an order', 'registerOrder', {}, {}],
    ['an order from a listed client', 'registerOrder', {}, { ...recordsOfListed, PLATFORM_CLIENTS: 'shop' }],
  ])('returns no failure for %s', async (_, name, input, environment) => {
    expect(await failureOf(name, input, 'shop', environment)).toBeUndefined();
  });

  it('stops the cold start with the unknown word', async () => {
    await expect(failureOf('approve', {}, 'shop', { PLATFORM_RECORDS: 'closed' })).rejects.toThrow(
      'environment variable PLATFORM_RECORDS must be one of open, listed',
    );
  });
});
