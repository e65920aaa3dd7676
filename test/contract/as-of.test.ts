import { describe, expect, it } from 'vitest';
import { contractApi, contractModes } from '../support/contract-api.ts';
import { createReturn } from '../support/scenario.ts';

describe.each(contractModes(import.meta.filename))('%s getReturn with asOf', (mode) => {
  const service = contractApi(mode);

  /** Creates a return with a history of three entries, each in its own millisecond. */
  const lived = async (): Promise<{ id: string; times: string[] }> => {
    const { id } = await createReturn(service, 2);
    await service.post(`/returns/${id}/approve`);
    await service.post(`/returns/${id}/cancel`, { note: 'marker-note: kept' });
    const { body } = await service.get(`/returns/${id}/history`);
    const times = body.items.map(({ at }) => at);
    return new Set(times).size === 3 ? { id, times } : lived();
  };

  it('returns the return as recorded at that time', async () => {
    const { id, times } = await lived();
    const bodies = [];
    for (const at of times) bodies.push((await service.get(`/returns/${id}?asOf=${at}`)).body);
    expect(bodies).toMatchObject([
      { status: 'requested', version: 1, lines: [{ reason: { note: 'marker-note: tight at the chest' } }] },
      { status: 'approved', version: 2 },
      { status: 'cancelled', version: 3, cancellation: { note: 'marker-note: kept' } },
    ]);
    expect(bodies[1]).not.toHaveProperty('cancellation');
  });

  it('returns neither an ETag nor allowed actions', async () => {
    const { id } = await lived();
    const now = await service.get(`/returns/${id}`);
    const { allowedActions, ...body } = now.body;
    const then = await service.get(`/returns/${id}?asOf=${new Date().toISOString()}`);
    expect(allowedActions).toBeDefined();
    expect(then.body).toEqual(body);
    expect(then.headers.get('etag')).toBeNull();
  });

  it('returns 404 before the return was created', async () => {
    const { id, times } = await lived();
    const before = new Date(Date.parse(times[0] ?? '') - 1).toISOString();
    expect(await service.get(`/returns/${id}?asOf=${before}`)).toMatchObject({
      status: 404,
      body: {
        code: 'return_not_found',
        detail: `The return was not known at that time. It was recorded at ${times[0]}.`,
        errors: [{ path: '/asOf', code: 'minimum', message: `must be ${times[0]} or later` }],
      },
    });
    expect(await service.get(`/returns/ret_00000000000000000000000000?asOf=${before}`)).toMatchObject({
      status: 404,
      body: { code: 'return_not_found', errors: [{ path: '/returnId' }] },
    });
    expect(await service.get(`/returns/${id}?asOf=yesterday`)).toMatchObject({
      status: 400,
      body: { code: 'invalid_request', errors: [{ path: '/asOf', message: expect.stringContaining('such as 2026-') }] },
    });
  });

  it('returns 400 for a time in the future', async () => {
    const { id } = await createReturn(service);
    expect(await service.get(`/returns/${id}?asOf=2099-01-01T00:00:00Z`)).toMatchObject({
      status: 400,
      body: { code: 'invalid_request', errors: [{ path: '/asOf', code: 'maximum' }] },
    });
  });

  it('accepts a time with an offset', async () => {
    const { id, times } = await lived();
    const local = new Date(Date.parse(times[1] ?? '') + 3_600_000).toISOString().replace('Z', '+01:00');
    const { body } = await service.get(`/returns/${id}?asOf=${encodeURIComponent(local)}`);
    expect(body).toMatchObject({ status: 'approved', version: 2 });
  });
});
