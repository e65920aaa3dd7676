import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import * as operations from '../../lib/contract/operations.ts';
import { contractApi, contractModes } from '../support/contract-api.ts';
import { stack } from '../support/stack.ts';

describe.each(contractModes(import.meta.filename))('%s service', (mode) => {
  const service = contractApi(mode);
  const withoutToken = { token: null };

  it('returns its health without authentication', async () => {
    expect(await service.get('/health', withoutToken)).toMatchObject({ status: 200, body: { status: 'ok' } });
  });

  it('returns its OpenAPI document without authentication, with its own token endpoint', async () => {
    const { status, body } = await service.get('/openapi.json', withoutToken);
    expect(status).toBe(200);
    const built = JSON.parse(readFileSync('dist/contract/openapi.json', 'utf8')) as typeof body;
    const flow = { clientCredentials: { flows: { clientCredentials: { tokenUrl: stack().tokenUrl } } } };
    expect(body).toMatchObject({
      paths: Reflect.get(built, 'paths'),
      components: { securitySchemes: flow },
      servers: [{ url: `${stack()[mode].url}/v1` }],
    });
    const described = Object.values(Reflect.get(body, 'paths') as Record<string, object>).flatMap(Object.values);
    expect(described.map(({ operationId }: { operationId: string }) => operationId).toSorted()).toEqual(
      Object.keys(operations).toSorted(),
    );
  });

  it('returns the AsyncAPI document with the types and the source of its events', async () => {
    const { status, body } = await service.get('/asyncapi.json', withoutToken);
    expect(status).toBe(200);
    const { hostname, port } = new URL(stack()[mode].url);
    expect(body).toMatchObject({
      asyncapi: '3.0.0',
      servers: { api: { protocol: 'http', host: `${hostname}:${port}`, pathname: '/v1/events' } },
      components: {
        messages: {
          ReturnRejected: {
            name: 'com.example.returns.return.rejected',
            payload: {
              properties: {
                source: { const: 'urn:returns:dev' },
                type: { const: 'com.example.returns.return.rejected' },
              },
            },
          },
        },
      },
    });
  });

  it('takes no host from a request header', async () => {
    const headers = { 'x-forwarded-host': 'evil.example', forwarded: 'host=evil.example;proto=https' };
    for (const path of ['/openapi.json', '/asyncapi.json']) {
      const { status, body } = await service.get(path, { ...withoutToken, headers });
      expect(status).toBe(200);
      expect(JSON.stringify(body)).not.toContain('evil.example');
    }
  });

  it('returns 400 for unknown query fields', async () => {
    expect(await service.get('/health?verbose=true', withoutToken)).toMatchObject({
      status: 400,
      body: { errors: [{ path: '/verbose', code: 'unknown_field' }] },
    });
  });
});
