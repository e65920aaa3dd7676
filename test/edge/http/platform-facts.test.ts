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
const rejected = 'insufficient_scope';

describe('platform fact from a caller with returns:write', () => {
  it.each<[string, Name, object, string, Record<string, string>, string | undefined]>([
    ['is rejected when no client is listed', 'approve', observation, 'shop', {}, rejected],
    [
      'is rejected when the list is the word none',
      'approve',
      observation,
      'none',
      { PLATFORM_CLIENTS: 'none' },
      rejected,
    ],
    ['is rejected from another client', 'approve', observation, 'shop', { PLATFORM_CLIENTS: 'erp,shop2' }, rejected],
    ['is accepted from a listed client', 'approve', observation, 'shop', { PLATFORM_CLIENTS: 'erp, shop' }, undefined],
    ['is not assumed without observed', 'approve', {}, 'shop', {}, undefined],
    ['is not assumed for a return of the service', 'createReturn', { managedBy: 'service' }, 'shop', {}, undefined],
    ['is accepted for an order', 'registerOrder', {}, 'shop', {}, undefined],
    [
      'is rejected for an order when records need a listed client',
      'registerOrder',
      {},
      'shop',
      { PLATFORM_RECORDS: 'listed' },
      rejected,
    ],
    [
      'is rejected for a refund when records need a listed client',
      'recordRefund',
      {},
      'shop',
      { PLATFORM_RECORDS: 'listed' },
      rejected,
    ],
    [
      'is rejected for a refund result when records need a listed client',
      'recordRefundResult',
      {},
      'shop',
      { PLATFORM_RECORDS: 'listed' },
      rejected,
    ],
    [
      'is accepted for an order from a listed client',
      'registerOrder',
      {},
      'shop',
      { PLATFORM_RECORDS: 'listed', PLATFORM_CLIENTS: 'shop' },
      undefined,
    ],
  ])('%s', async (_, name, input, client, environment, expected) => {
    const failure = await failureOf(name, input, client, environment);
    expect(failure?.code).toBe(expected);
  });

  it('stops the cold start with the unknown word', async () => {
    await expect(failureOf('approve', {}, 'shop', { PLATFORM_RECORDS: 'closed' })).rejects.toThrow(
      'environment variable PLATFORM_RECORDS must be one of open, listed',
    );
  });
});
