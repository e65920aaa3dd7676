import { afterAll, beforeEach, describe, expect, it } from 'vitest';
import type { OfferableName, ReadMapping } from '../../lib/adapters/adapter.ts';
import type { CoreShape } from '../../lib/adapters/fit-core.ts';
import { path } from '../../lib/adapters/path.ts';
import { offerRead } from '../../lib/adapters/run.ts';
import { getReturn } from '../../lib/contract/operations.ts';
import type { Call } from '../../lib/contract/port.ts';
import { startHarness } from '../access/oauth/harness.ts';
import { setEnvironment } from '../support/environment.ts';
import { startServer } from '../support/http-server.ts';
import { hearLines } from '../support/standard-output.ts';

/* Reads of adapters, with a foreign service at the wire. */

type Rma = { readonly id: string; readonly parcel: string };
type Mapping = ReadMapping<'getReturn', 'OPEN', OfferableName>;

const shape: CoreShape = { returnId: 'string', status: new Set(['requested']) };

const returnOf = ({ id }: Rma) => ({
  returnId: id,
  state: 'OPEN' as const,
  order: { orderId: '1001' },
  createdAt: '2026-11-20T08:00:00Z',
  lines: [],
});

const readWith = (run: Mapping['run']) =>
  offerRead({
    adapter: { name: 'acme', states: { OPEN: 'requested' }, otherwise: 'requested', failures: {}, operations: {} },
    operation: getReturn,
    mapping: { run },
    shape,
  });

const harness = await startHarness();
const service = await startServer(({ path: target }) => ({
  status: 200,
  body: JSON.stringify({ id: target.split('/')[3] ?? '', parcel: '..' }),
}));

afterAll(async () => {
  await service[Symbol.asyncDispose]();
  await harness[Symbol.asyncDispose]();
});

beforeEach(() => {
  hearLines(() => undefined);
  setEnvironment({
    SERVICE_URL: service.origin,
    AUTH_URL: harness.idp.server.origin,
    CLIENT_SECRET_ID: 'id',
    AWS_ENDPOINT_URL_SECRETS_MANAGER: harness.secrets.server.origin,
  });
});

const callOf = (): Call => ({
  caller: { clientId: 'shop', scopes: ['returns:read'] },
  dryRun: false,
  traceId: '1'.repeat(32),
  causationId: 'request-1',
  deadline: Date.now() + 20_000,
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
      await send({ method: 'GET', path: path`/rma/${returnId}/parcels/${body.parcel}` });
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
