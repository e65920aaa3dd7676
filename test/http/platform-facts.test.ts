import { afterEach, describe, expect, it } from 'vitest';
import {
  approve,
  createReturn,
  recordRefund,
  recordRefundResult,
  registerOrder,
} from '../../lib/contract/operations.ts';
import { platformFactFailure } from '../../lib/http/platform-facts.ts';
import { restoreEnvironment, stubEnvironment } from '../support/environment.ts';

afterEach(restoreEnvironment);

const operations = { approve, createReturn, recordRefund, recordRefundResult, registerOrder };
type Name = keyof typeof operations;

/** What a container that starts in this environment refuses of a caller with returns:write. */
const refusalOf = async (name: Name, input: object, clientId: string, environment: Record<string, string>) => {
  stubEnvironment(environment);
  return platformFactFailure(operations[name], { ...input }, { clientId, scopes: ['returns:write'] });
};

const fact = { observed: { platform: 'shopify' } };
const refused = 'insufficient_scope';

describe('a platform fact of a caller with returns:write', () => {
  it.each<[string, Name, object, string, Record<string, string>, string | undefined]>([
    ['is refused where no client is listed', 'approve', fact, 'shop', {}, refused],
    ['is refused where none is the list', 'approve', fact, 'none', { PLATFORM_CLIENTS: 'none' }, refused],
    ['is refused of another client', 'approve', fact, 'shop', { PLATFORM_CLIENTS: 'erp,shop2' }, refused],
    ['is taken of a listed client', 'approve', fact, 'shop', { PLATFORM_CLIENTS: 'erp, shop' }, undefined],
    ['is no fact without observed', 'approve', {}, 'shop', {}, undefined],
    ['is no fact for the service itself', 'createReturn', { managedBy: 'service' }, 'shop', {}, undefined],
    ['may be an order', 'registerOrder', {}, 'shop', {}, undefined],
    ['may be no order where records are listed', 'registerOrder', {}, 'shop', { PLATFORM_RECORDS: 'listed' }, refused],
    ['may be no refund either', 'recordRefund', {}, 'shop', { PLATFORM_RECORDS: 'listed' }, refused],
    ['may be no result either', 'recordRefundResult', {}, 'shop', { PLATFORM_RECORDS: 'listed' }, refused],
    [
      'may be an order of a listed client',
      'registerOrder',
      {},
      'shop',
      { PLATFORM_RECORDS: 'listed', PLATFORM_CLIENTS: 'shop' },
      undefined,
    ],
  ])('%s', async (_, name, input, client, environment, expected) => {
    const refusal = await refusalOf(name, input, client, environment);
    expect(refusal?.code).toBe(expected);
  });

  it('stops the cold start with the word that it does not know', async () => {
    await expect(refusalOf('approve', {}, 'shop', { PLATFORM_RECORDS: 'closed' })).rejects.toThrow(
      'environment variable PLATFORM_RECORDS must be one of open, listed',
    );
  });
});
