import { describe, expect, it } from 'vitest';
import { addressOf } from '../../../lib/edge/backend/address.ts';
import { openapi } from '../../../lib/contract/operations.ts';

describe('addressOf', () => {
  it.each([
    ['the default domain', 'abc123.execute-api.eu-central-1.amazonaws.com', '/v1/openapi.json', 'https', '/v1'],
    ['a custom domain', 'api.example.com', '/v1/openapi.json', 'https', '/v1'],
    ['a named stage', 'abc123.execute-api.eu-central-1.amazonaws.com', '/prod/v1/openapi.json', 'https', '/prod/v1'],
    ['the mapping of a custom domain', 'api.example.com', '/shop/returns/v1/openapi.json', 'https', '/shop/returns/v1'],
    ['the local stack', '127.0.0.1:3000', '/v1/openapi.json', 'http', '/v1'],
  ])('returns the address of %s', (_, domainName, path, protocol, pathname) => {
    expect(addressOf(openapi, { domainName, path })).toEqual({ protocol, host: domainName, pathname });
  });

  it.each([
    ['a direct invocation', undefined],
    ['a domain name that is empty', { domainName: '', path: '/v1/openapi.json' }],
    ['a domain name with a path', { domainName: 'api.example.com/evil', path: '/v1/openapi.json' }],
    ['a domain name with credentials', { domainName: 'a@api.example.com', path: '/v1/openapi.json' }],
    ['a path of another operation', { domainName: 'api.example.com', path: '/v1/health' }],
  ])('returns nothing for %s', (_, target) => {
    expect(addressOf(openapi, target)).toBeUndefined();
  });
});
