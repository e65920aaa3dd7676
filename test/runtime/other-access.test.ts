import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { functionSpecs } from '../../lib/tools/local/emulators/functions.ts';
import { routesOf } from '../../lib/tools/local/emulators/gateway/routes.ts';
import { plant } from '../support/emitted/record.ts';
import { type Answer, type Received, startServer } from '../support/http-server.ts';
import { allClaims, apiEvent } from '../support/lambda-runtime/api-event.ts';
import { apiBodyOf, deploymentOf, startPackaged } from '../support/lambda-runtime/packaged.ts';
import { startSecretVersions } from '../support/secret-versions.ts';
import { stack } from '../support/stack.ts';

const clientId = 'shop:7';
const clientSecret = `other-access+&=% ${crypto.randomUUID()}`;
const gatewayKey = `gateway-${crypto.randomUUID()}`;
const tokens = ['Atza|first-of-other-access', 'Atza|second-of-other-access'];
plant([clientSecret, gatewayKey, ...tokens]);

const returnId = 'ret_01KAJ3V9Z8QW4T6R2M5N7P0XYB';
const path = '/v1/returns/{returnId}';
/** Returns the body of a return, as the service sends it. */
const bodyOfReturn = (): string => {
  const { paths } = JSON.parse(readFileSync('dist/contract/openapi.json', 'utf8')) as {
    readonly paths: Record<string, { readonly get: { readonly responses: Record<string, Content> } }>;
  };
  const example = paths['/returns/{returnId}']?.get.responses['200']?.content['application/json'].example;
  return JSON.stringify({ ...example, returnId });
};
type Content = { readonly content: { readonly 'application/json': { readonly example: object } } };

/** Every setting of the access differs from its default. */
const variables = {
  SERVICE_PATH: '/rma/v3',
  TOKEN_PATH: '/oauth/tokens',
  CLIENT_AUTHENTICATION: 'basic',
  TOKEN_HEADER: 'X-Access-Token',
  TOKEN_SCHEME: 'none',
  TOKEN_FIELDS: 'access_token=idToken,expires_in=expiresIn,token_type=kind',
  TOKEN_LIFETIME: '900',
  SERVICE_HEADERS: 'X-Tenant=acme; region="eu, pt"\nX-Api-Version=3',
  SERVICE_SCOPES: 'returns:read=RETAILER rma.read,returns:write=rma.write',
};

const json = (status: number, value: unknown): Answer => ({ status, body: JSON.stringify(value) });

/** Starts a token endpoint that wants Basic and words of its own, and names the fields of its answers otherwise. */
const startIssuer = async () => {
  let issued = 0;
  return startServer(({ method, path: asked, headers, body: form }) => {
    if (method !== 'POST' || asked !== '/oauth/tokens') return json(404, {});
    const [id, secret] = Buffer.from(headers.authorization?.replace('Basic ', '') ?? '', 'base64')
      .toString()
      .split(':')
      .map((part) => new URLSearchParams(`part=${part}`).get('part'));
    if (id !== clientId || secret !== clientSecret) return json(401, { error: 'invalid_client' });
    const fields = Object.fromEntries(new URLSearchParams(form));
    if (Object.keys(fields).join() !== 'grant_type,scope' || fields['scope'] !== 'RETAILER rma.read')
      return json(400, { error: 'invalid_scope' });
    issued += 1;
    return json(200, {
      idToken: tokens[issued - 1],
      access_token: 'another',
      token_type: 'mac',
      scope: 'rma.read RETAILER',
    });
  });
};

/** Starts a service that wants the bare token in a header of its own, and two headers of its gateway. */
const startService = async (body: string, revoked: ReadonlySet<string>) =>
  startServer(({ path: asked, headers }: Received) => {
    if (headers['x-gateway-key'] !== gatewayKey || headers['x-tenant'] !== 'acme; region="eu, pt"')
      return json(403, {});
    if (headers['x-api-version'] !== '3' || headers.authorization !== undefined) return json(400, {});
    const token = headers['x-access-token'];
    if (typeof token !== 'string' || !tokens.includes(token) || revoked.has(token)) return json(401, {});
    return asked === `/rma/v3/returns/${returnId}` ? { status: 200, headers: { etag: '"1"' }, body } : json(404, {});
  });

describe('function of the connected mode before a service with other rules', () => {
  it('reads a return with all settings at once, and renews a token that the service rejects', async () => {
    const revoked = new Set<string>();
    const body = bodyOfReturn();
    await using issuer = await startIssuer();
    await using service = await startService(body, revoked);
    const text = JSON.stringify({ clientId, clientSecret, headers: { 'X-Gateway-Key': gatewayKey } });
    await using secrets = await startSecretVersions({ versionId: 'v1', text });
    const deployment = await deploymentOf('connected', stack());
    const spec = functionSpecs(deployment).find(({ key }) => key === 'getReturn');
    const route = routesOf(apiBodyOf(deployment, 'Api')).find((one) => one.path === path && one.method === 'GET');
    if (spec === undefined || route === undefined) throw new Error('there is no getReturn');
    await using container = await startPackaged('connected', spec, stack(), {
      ...variables,
      SERVICE_URL: service.origin,
      AUTH_URL: issuer.origin,
      AWS_ENDPOINT_URL_SECRETS_MANAGER: secrets.server.origin,
    });
    const read = async () => (await container.invoke(apiEvent(route, { claims: allClaims }))).outcome;
    const found = { kind: 'response', payload: { statusCode: 200, body } };
    expect(await read()).toMatchObject(found);
    expect(await read()).toMatchObject(found);
    expect(issuer.requests).toHaveLength(1);
    revoked.add(tokens[0] ?? '');
    expect(await read()).toMatchObject(found);
    expect([issuer.requests.length, service.requests.length]).toEqual([2, 4]);
    const log = await container.log();
    for (const secret of [clientSecret, gatewayKey, ...tokens]) expect(log).not.toContain(secret);
  });
});
