import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import * as operations from '../../lib/contract/operations.ts';
import { api } from '../support/api.ts';
import { stack } from '../support/stack.ts';
import { contractModes } from '../support/samples.ts';

describe.each(contractModes(import.meta.filename))('%s', (way) => {
  const service = api(way);
  const stranger = { token: null };

  it('tells everyone that it is well', async () => {
    expect(await service.get('/health', stranger)).toMatchObject({ status: 200, body: { status: 'ok' } });
  });

  it('gives everyone its OpenAPI document, with its own token endpoint', async () => {
    const { status, body } = await service.get('/openapi.json', stranger);
    expect(status).toBe(200);
    const built = JSON.parse(readFileSync('dist/contract/openapi.json', 'utf8')) as typeof body;
    const flow = { clientCredentials: { flows: { clientCredentials: { tokenUrl: stack().tokenUrl } } } };
    expect(body).toMatchObject({ paths: Reflect.get(built, 'paths'), components: { securitySchemes: flow } });
    const described = Object.values(Reflect.get(body, 'paths') as Record<string, object>).flatMap(Object.values);
    expect(described.map(({ operationId }: { operationId: string }) => operationId).toSorted()).toEqual(
      Object.keys(operations).toSorted(),
    );
  });

  it('takes no fields where there are none', async () => {
    expect(await service.get('/health?verbose=true', stranger)).toMatchObject({
      status: 400,
      body: { errors: [{ path: '/verbose', code: 'unknown_field' }] },
    });
  });
});
