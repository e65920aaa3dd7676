import { describe, expect, it } from 'vitest';
import type { ClientOptions } from '../../../lib/access/client/public.ts';
import { createReturnsClient } from '../../../lib/access/client/returns-client.ts';
import { clientSecret } from '../oauth/harness.ts';

const returnId = 'ret_01KAJ3V9Z8QW4T6R2M5N7P0XYB';
const credentials = { clientId: 'shop', clientSecret };

describe('programming error', () => {
  const where = { serviceUrl: 'https://returns.example', authUrl: 'https://identity.example' };

  it.each<[string, object, string]>([
    ['an http address', { serviceUrl: 'http://returns.example' }, 'serviceUrl must begin with https://'],
    ['an invalid address', { authUrl: 'identity.example' }, 'authUrl must be a URL'],
    ['a missing address', { authUrl: undefined }, 'authUrl must be a URL'],
    [
      'an address with the path of the service',
      { serviceUrl: 'https://returns.example/v1/' },
      'serviceUrl must not end with /v1,',
    ],
    [
      'an address with the path of tokens',
      { authUrl: 'https://identity.example/connect/token' },
      'authUrl must not end with /connect/token,',
    ],
    ['a token path without a slash', { tokenPath: 'oauth2/token' }, 'tokenPath must be a path that begins with /,'],
    ['a missing secret', { credentials: { clientId: 'shop', clientSecret: '' } }, 'clientSecret'],
    ['a missing secret id', { credentials: { secretId: '' } }, 'secretId'],
    ['no credentials', { credentials: undefined }, 'credentials must be { secretId } or { clientId, clientSecret }'],
  ])('throws at once: %s', (_, fault, message) => {
    const options = { ...where, credentials, ...fault } as ClientOptions;
    expect(() => createReturnsClient(options)).toThrow(TypeError);
    expect(() => createReturnsClient(options)).toThrow(message);
  });

  it.each([0, -1, Number.NaN, Number.POSITIVE_INFINITY])('rejects the call: a timeout of %d', async (timeoutMs) => {
    await using client = createReturnsClient({ ...where, credentials });
    await expect(client.getReturn({ returnId }, { timeoutMs })).rejects.toThrow(RangeError);
  });
});
