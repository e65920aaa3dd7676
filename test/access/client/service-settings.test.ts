import { describe, expect, it } from 'vitest';
import type { ClientOptions } from '../../../lib/access/client/public.ts';
import { createReturnsClient } from '../../../lib/access/client/returns-client.ts';
import { clientSecret, minute, secretText } from '../oauth/harness.ts';
import { startWorld } from '../oauth/world.ts';
import { exampleAnswer } from '../../support/example-answer.ts';
import type { Respond } from '../../support/http-server.ts';
import { clientId, gatewayKey, returnId, serviceRequestOf, start, token } from './settings-world.ts';

/* What leaves for the service, by each setting of the access. */

describe('token of a request', () => {
  it.each<[Partial<ClientOptions>, string, string]>([
    [{}, 'authorization', `Bearer ${token}`],
    [{ tokenScheme: 'Token' }, 'authorization', `Token ${token}`],
    [{ tokenScheme: 'none' }, 'authorization', token],
    [{ tokenHeader: 'x-amz-access-token', tokenScheme: 'none' }, 'x-amz-access-token', token],
    [{ tokenHeader: 'WM_SEC.ACCESS_TOKEN', tokenScheme: 'none' }, 'wm_sec.access_token', token],
    [{ tokenHeader: 'X-Authorization' }, 'x-authorization', `Bearer ${token}`],
  ])('is sent as %j says', async (options, name, value) => {
    const { headers } = await serviceRequestOf({ options });
    expect(headers[name]).toBe(value);
    expect(headers.authorization).toBe(name === 'authorization' ? value : undefined);
  });

  it('is read from the fields of the settings', async () => {
    const options = { tokenFields: { access_token: 'idToken', expires_in: 'expiresIn' } };
    const issued = { idToken: token, expiresIn: '3600', access_token: 'another' };
    expect((await serviceRequestOf({ options, issued })).headers.authorization).toBe(`Bearer ${token}`);
  });
});

describe('fixed headers', () => {
  const options = { serviceHeaders: { 'X-Tenant': 'acme; a="b, c"', 'X-Api-Version': '2' } };
  const credentials = { headers: { 'X-Gateway-Key': gatewayKey } };

  it('are on each request to the service, with and without a token, and on no token request', async () => {
    await using world = await start({ options, credentials });
    await world.client.getReturn({ returnId });
    await world.client.approve({ returnId });
    await world.client.health({});
    expect(world.api.requests).toHaveLength(3);
    for (const { headers } of world.api.requests) {
      const expected = { 'x-tenant': 'acme; a="b, c"', 'x-api-version': '2', 'x-gateway-key': gatewayKey };
      expect(headers).toMatchObject(expected);
    }
    for (const { headers } of world.idp.requests)
      expect(headers['x-gateway-key'] ?? headers['x-tenant']).toBeUndefined();
  });

  it('give way to the secret header of the same name', async () => {
    const { headers } = await serviceRequestOf({
      options: { serviceHeaders: { 'X-Gateway-Key': 'open' } },
      credentials,
    });
    expect(headers['x-gateway-key']).toBe(gatewayKey);
  });

  it('give way to the token', async () => {
    const { headers } = await serviceRequestOf({
      options: { tokenHeader: 'X-Gateway-Key' },
      credentials,
    });
    expect(headers['x-gateway-key']).toBe(`Bearer ${token}`);
  });

  it('are removed from an answer that repeats them, if they are secret', async () => {
    const respond: Respond = ({ headers }) => ({
      status: 200,
      body: JSON.stringify(exampleAnswer('getReturn', { seen: headers })),
    });
    await using world = await start({ options, credentials, respond });
    const answer = JSON.stringify(await world.client.getReturn({ returnId }));
    expect(answer).toContain('[redacted]');
    expect(answer).toContain('x-api-version');
    expect(answer).not.toContain(gatewayKey);
  });

  it.each([{ Host: 'a.example' }, { 'X-A': 'a\r\nX-B: b' }, { Authorization: 'Basic a' }])(
    'are malformed in the credentials: %j',
    async (headers) => {
      await using world = await start({ credentials: { headers } });
      const failure = { code: 'dependency_unavailable', reason: 'SecretUnavailable malformed headers' };
      expect(await world.client.getReturn({ returnId })).toMatchObject({ ok: false, failure });
      expect([...world.idp.requests, ...world.api.requests]).toEqual([]);
    },
  );
});

describe('secret headers', () => {
  it('are those of the new version after a rotation, with the same token', async () => {
    const [before, after] = [`before-${gatewayKey}`, `after-${gatewayKey}`];
    await using world = await startWorld({ text: secretText(clientSecret, { headers: { 'X-Key': before } }) });
    expect(await world.call()).toEqual({ status: 200 });
    world.rotate('v2', secretText(clientSecret, { headers: { 'X-Key': after } }));
    world.clock.advance(20 * minute);
    // The first call reads the secret in the background.
    expect(await world.call()).toEqual({ status: 200 });
    await world.drain();
    expect(await world.call()).toEqual({ status: 200 });
    expect(world.api.server.requests.map(({ headers }) => headers['x-key'])).toEqual([before, before, after]);
    expect(world.shown()).toEqual(Array(3).fill('token-1'));
  });
});

describe('path of the service', () => {
  it.each([
    [undefined, `/v1/returns/${returnId}`],
    ['/rma/v3', `/rma/v3/returns/${returnId}`],
    ['/rma/v3/', `/rma/v3/returns/${returnId}`],
    ['/', `/returns/${returnId}`],
  ])('is %s before the path of an operation', async (servicePath, path) => {
    expect(await serviceRequestOf({ options: { servicePath } })).toMatchObject({ path });
  });

  it.each([
    ['/rma', '/rma/returns/ret_1', '/v1/returns/ret_1'],
    ['/', '/returns/ret_1', '/v1/returns/ret_1'],
    ['/', '/v1/returns/ret_1', '/v1/returns/ret_1'],
    ['/rma', '/other/returns/ret_1', '/other/returns/ret_1'],
    ['/rma', 'https://a.example/rma/returns/ret_1', 'https://a.example/rma/returns/ret_1'],
    ['/v1', '/v1/returns/ret_1', '/v1/returns/ret_1'],
  ])('%s becomes ours in the location %s', async (servicePath, location, expected) => {
    const respond: Respond = () => ({
      status: 201,
      headers: { location },
      body: JSON.stringify(exampleAnswer('createReturn')),
    });
    await using world = await start({ options: { servicePath }, respond });
    const newReturn = {
      order: { platform: 'web', orderId: '1' },
      lines: [{ orderLineId: '1', quantity: 1, reason: { code: 'fit.too_small' } }],
    };
    expect(await world.client.createReturn(newReturn)).toMatchObject({ ok: true, value: { location: expected } });
  });
});

describe('createReturnsClient', () => {
  it('throws a TypeError that names all invalid settings', () => {
    const options = {
      serviceUrl: 'https://a.example',
      authUrl: 'https://b.example',
      credentials: { clientId, clientSecret },
    };
    expect(() => createReturnsClient({ ...options, tokenLifetime: 0, tokenHeader: 'Host' })).toThrow(
      /^tokenHeader must be the name of a header .*; tokenLifetime must be whole seconds from 1 to 86400$/,
    );
  });
});
