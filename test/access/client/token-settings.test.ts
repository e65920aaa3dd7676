import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { clientSecret } from '../oauth/harness.ts';
import type { Received } from '../../support/http-server.ts';
import { clientId, returnId, start, token, tokenRequestOf } from './settings-world.ts';

/* What leaves for the token endpoint, by each setting of the access. */

const fieldsOf = ({ body }: Received) => Object.fromEntries(new URLSearchParams(body));

/** Decodes Basic as RFC 6749, 2.3.1, asks of a server. */
const basicOf = ({ headers }: Received): readonly string[] => {
  const joined = Buffer.from(/^Basic (\S+)$/.exec(headers.authorization ?? '')?.[1] ?? '', 'base64').toString();
  return joined.split(':').map((part) => new URLSearchParams(`x=${part}`).get('x') ?? '');
};

const grant = { grant_type: 'client_credentials', scope: 'returns:read' };

describe('client authentication', () => {
  it.each([undefined, 'form'] as const)('is in the form with %s', async (clientAuthentication) => {
    const request = await tokenRequestOf({ options: { clientAuthentication } });
    expect(request.headers['content-type']).toBe('application/x-www-form-urlencoded');
    expect(request.headers.authorization).toBeUndefined();
    expect(fieldsOf(request)).toEqual({ ...grant, client_id: clientId, client_secret: clientSecret });
  });

  it('is in the header with basic, and not in the form', async () => {
    const request = await tokenRequestOf({ options: { clientAuthentication: 'basic' } });
    expect(request.headers['content-type']).toBe('application/x-www-form-urlencoded');
    expect(basicOf(request)).toEqual([clientId, clientSecret]);
    expect(fieldsOf(request)).toEqual(grant);
  });

  it('is in a JSON body with json', async () => {
    const request = await tokenRequestOf({ options: { clientAuthentication: 'json' } });
    expect(request.headers['content-type']).toBe('application/json');
    expect(request.headers.authorization).toBeUndefined();
    expect(JSON.parse(request.body)).toEqual({ ...grant, client_id: clientId, client_secret: clientSecret });
  });

  it('is encoded so that a server reads any id and secret with basic', async () => {
    const text = fc.string({ minLength: 1, unit: 'grapheme' });
    await fc.assert(
      fc.asyncProperty(text, text, async (id, secret) => {
        const request = await tokenRequestOf({
          options: { clientAuthentication: 'basic' },
          credentials: { clientId: id, clientSecret: secret },
        });
        expect(basicOf(request)).toEqual([id, secret]);
      }),
      { numRuns: 20 },
    );
  });

  it.each(['form', 'basic', 'json'] as const)('has the path of the settings with %s', async (clientAuthentication) => {
    const options = { clientAuthentication, tokenPath: '/api/authtickets/oauth' };
    expect(await tokenRequestOf({ options })).toMatchObject({ method: 'POST', path: '/api/authtickets/oauth' });
  });
});

describe('scopes of the issuer', () => {
  it.each([
    ['one word', 'RETAILER', 'RETAILER'],
    ['several words', 'rma.read rma.write', 'rma.read rma.write'],
    ['a word with commas', 'api://1/.default,a', 'api://1/.default,a'],
  ])('are requested: %s', async (_, words, scope) => {
    const request = await tokenRequestOf({ options: { serviceScopes: { 'returns:read': words } } });
    expect(fieldsOf(request)['scope']).toBe(scope);
  });

  it.each(['form', 'basic', 'json'] as const)('have no field without words, with %s', async (clientAuthentication) => {
    const request = await tokenRequestOf({ options: { clientAuthentication, serviceScopes: { 'returns:read': '' } } });
    expect(request.body).not.toContain('scope');
  });

  it('are requested once each, for an operation that needs two of our scopes', async () => {
    const serviceScopes = { 'returns:write': 'rma', 'returns:admin': 'rma admin' };
    await using world = await start({ options: { serviceScopes } });
    await world.client.approve({ returnId }, { admin: true });
    expect(world.idp.requests.map((request) => fieldsOf(request)['scope'])).toEqual(['rma admin']);
  });

  it('must be granted in the words of the issuer', async () => {
    const serviceScopes = { 'returns:read': 'RETAILER' };
    const issued = { access_token: token, expires_in: 299 };
    await using granted = await start({ options: { serviceScopes }, issued: { ...issued, scope: 'RETAILER more' } });
    expect(await granted.client.getReturn({ returnId })).toMatchObject({ ok: true });
    await using other = await start({ options: { serviceScopes }, issued: { ...issued, scope: 'returns:read' } });
    const failure = { code: 'dependency_unavailable', reason: 'IdpProtocol scope' };
    expect(await other.client.getReturn({ returnId })).toMatchObject({ ok: false, failure });
  });

  it('leave the tokens of our scopes apart', async () => {
    await using world = await start({ options: { serviceScopes: { 'returns:read': 'ALL', 'returns:write': 'ALL' } } });
    for (const _ of [1, 2]) {
      await world.client.getReturn({ returnId });
      await world.client.approve({ returnId });
    }
    expect(world.idp.requests.map((request) => fieldsOf(request)['scope'])).toEqual(['ALL', 'ALL']);
  });
});
