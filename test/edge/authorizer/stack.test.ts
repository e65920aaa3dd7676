import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { api } from '../../support/api.ts';
import { startOwnStack, type OwnStack } from '../../support/own-stack.ts';
import { oneMode } from '../../support/samples.ts';
import { createReturn } from '../../support/scenario.ts';

let stack: OwnStack;
beforeAll(async () => {
  stack = await startOwnStack({ tokenAuthorizer: 'function' });
});
afterAll(async () => stack.close());

describe.each(oneMode('standalone'))('stage with the authorizer function in the %s mode', (mode) => {
  it('serves a caller with the scope, by the deployed function', async () => {
    const service = api(mode, stack.info);
    const { id } = await createReturn(service);
    expect((await service.get(`/returns/${id}`)).status).toBe(200);
    const calls = stack.events.filter((event) => event.type === 'invoked' && event.function === 'authorize');
    expect(calls.length).toBeGreaterThan(0);
  });

  it('returns 403 without the scope, and 401 without a token or with a bad one', async () => {
    const service = api(mode, stack.info);
    const client = 'returns-reader';
    expect((await service.get('/returns', { client })).status).toBe(200);
    expect((await service.post('/policies', {}, { client })).status).toBe(403);
    expect((await service.get('/returns', { token: null })).status).toBe(401);
    expect((await service.get('/returns', { token: 'a.b.c' })).status).toBe(401);
  });

  it('serves a route without a scope to callers without a token', async () => {
    expect((await api(mode, stack.info).get('/health', { token: null })).status).toBe(200);
  });
});
