import { afterAll, afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { path } from '../../lib/adapters/path.ts';
import { startHarness } from '../access/oauth/harness.ts';
import { setEnvironment } from '../support/environment.ts';
import { startServer } from '../support/http-server.ts';
import { hearLines } from '../support/standard-output.ts';
import { callOf, readWith, returnOf, type Rma } from './acme.ts';

/* Reads of adapters, with a foreign service at the wire. */

const harness = await startHarness();
const service = await startServer(({ path: target }) => {
  const id = target.split('/')[3] ?? '';
  const note = id === 'large' ? 'x'.repeat(50_000_000) : '';
  return { status: 200, body: JSON.stringify({ id, state: 'OPEN', parcel: '..', note } satisfies Rma) };
});

afterAll(async () => {
  await service[Symbol.asyncDispose]();
  await harness[Symbol.asyncDispose]();
});

afterEach(() => void vi.restoreAllMocks());
beforeEach(() => {
  hearLines(() => undefined);
  setEnvironment({
    SERVICE_URL: service.origin,
    AUTH_URL: harness.idp.server.origin,
    CLIENT_SECRET_ID: 'id',
    AWS_ENDPOINT_URL_SECRETS_MANAGER: harness.secrets.server.origin,
  });
});

describe('an id that would reach another path of the service', () => {
  it('returns 400 when the caller sent it, and sends nothing', async () => {
    const read = readWith(async ({ returnId }, { send }) =>
      returnOf((await send<Rma>({ method: 'GET', path: path`/rma/${returnId}` })).body),
    );
    const before = service.requests.length;
    expect(await read({ returnId: '..' }, callOf())).toMatchObject({
      ok: false,
      failure: { code: 'invalid_request', errors: [{ code: 'unsupported' }] },
    });
    expect(service.requests).toHaveLength(before);
  });

  it('returns 400 when the caller sent it, and an answer preceded its use', async () => {
    const read = readWith(async ({ returnId }, { send }) => {
      await send({ method: 'GET', path: path`/rma` });
      return returnOf((await send<Rma>({ method: 'GET', path: path`/rma/${returnId}` })).body);
    });
    expect(await read({ returnId: '..' }, callOf())).toMatchObject({ failure: { code: 'invalid_request' } });
  });

  it('returns dependency_refused with the path when the service answered it', async () => {
    const read = readWith(async ({ returnId }, { send }) => {
      const { body } = await send<Rma>({ method: 'GET', path: path`/rma/${returnId}` });
      await send({ method: 'GET', path: path`/rma/${returnId}/parcels/${body.parcel ?? ''}` });
      return returnOf(body);
    });
    const before = service.requests.length;
    expect(await read({ returnId: '12345' }, callOf())).toMatchObject({
      ok: false,
      failure: {
        code: 'dependency_refused',
        errors: [{ code: 'misfit', message: 'must have an id that can stand in the path /rma/*/parcels/*' }],
      },
    });
    expect(service.requests).toHaveLength(before + 1);
  });
});

describe('a read of an adapter', () => {
  it('returns dependency_refused when the service answers with another return', async () => {
    const read = readWith(async (_, { send }) =>
      returnOf((await send<Rma>({ method: 'GET', path: path`/rma/90001` })).body),
    );
    expect(await read({ returnId: '90001' }, callOf())).toMatchObject({ ok: true });
    const result = await read({ returnId: '90003' }, callOf());
    expect(result).toMatchObject({ failure: { code: 'dependency_refused', errors: [{ path: '/returnId' }] } });
    expect(JSON.stringify(result)).not.toContain('90001');
  });

  it('returns dependency_refused when the answer is too large, because a repeat gets it again', async () => {
    const read = readWith(async ({ returnId }, { send }) => {
      const { body } = await send<Rma>({ method: 'GET', path: path`/rma/large` });
      return { ...returnOf(body), returnId };
    });
    const result = await read({ returnId: '12345' }, callOf());
    expect(result).toMatchObject({ failure: { code: 'dependency_refused', errors: [{ message: 'must be smaller' }] } });
  });

  it('fails when its mapping follows a request, which only a command can', async () => {
    const read = readWith(async ({ returnId }, { follow }) => {
      const { body } = await follow<Rma>({ method: 'GET', path: path`/rma/${returnId}` }, () => true);
      return returnOf(body);
    });
    const before = service.requests.length;
    expect(await read({ returnId: '12345' }, callOf())).toMatchObject({ failure: { code: 'dependency_refused' } });
    expect(service.requests).toHaveLength(before);
  });
});
