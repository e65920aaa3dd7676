import { randomBytes, randomUUID } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { importJWK, SignJWT, decodeJwt } from 'jose';
import { describe, expect, it } from 'vitest';
import { tokenOf } from '../support/api.ts';
import { contractApi, contractModes } from '../support/contract-api.ts';
import { createReturn, orderPath, registerOrder, returnOf, shirts, shopOrder } from '../support/scenario.ts';
import { stack, stackDataDir } from '../support/stack.ts';

const mebibyte = 1024 * 1024;

describe.each(contractModes(import.meta.filename))('%s invalid requests', (mode) => {
  const service = contractApi(mode);
  const path = '/returns/ret_00000000000000000000000000';

  describe('requests that the gateway rejects', () => {
    const unauthorized = { status: 401, body: { message: 'Unauthorized' } };

    it('without a token', async () => {
      expect(await service.get(path, { token: null })).toMatchObject(unauthorized);
    });

    it('with a manipulated token', async () => {
      const [head = '', , signature = ''] = (await tokenOf('returns-reader')).split('.');
      const claims = {
        ...decodeJwt(await tokenOf('returns-reader')),
        scope: 'returns:read returns:write returns:admin',
      };
      const token = `${head}.${Buffer.from(JSON.stringify(claims)).toString('base64url')}.${signature}`;
      expect(await service.get(path, { token })).toMatchObject(unauthorized);
    });

    it('with a token for another audience', async () => {
      expect(await service.get(path, { token: await signed({ audience: 'https://elsewhere.example' }) })).toMatchObject(
        unauthorized,
      );
    });

    it('with a token that expired one second ago', async () => {
      expect(await service.get(path, { token: await signed({ expiresIn: -1 }) })).toMatchObject(unauthorized);
      expect((await service.get(path, { token: await signed({ expiresIn: 60 }) })).status).toBe(404);
    });

    it('with a token without the scope', async () => {
      const answer = await service.post('/returns', {}, { client: 'returns-reader' });
      expect(answer).toMatchObject({ status: 403, body: { message: 'Forbidden' } });
    });
  });

  describe('requests that the function rejects', () => {
    const create = async (body: unknown, headers: Record<string, string> = {}) =>
      service.post('/returns', body, { headers });
    const line = (change: object) => ({ order: { platform: 'shopify', orderId: 'x' }, lines: [shirts(1, change)] });

    it.each([
      ['malformed JSON', '{"order":', 400, 'invalid_request', '', 'json'],
      ['JSON that is not an object', '[1]', 400, 'invalid_request', '', 'json'],
      ['an unknown field', { ...line({}), linez: [] }, 400, 'invalid_request', '/linez', 'unknown_field'],
      ['an unknown nested field', line({ qty: 1 }), 400, 'invalid_request', '/lines/0/qty', 'unknown_field'],
      [
        'a field called __proto__',
        `{"__proto__":{},"order":{"platform":"a","orderId":"b"},"lines":[]}`,
        400,
        'invalid_request',
        '/__proto__',
        'unknown_field',
      ],
      [
        'a missing field',
        { order: { platform: 'shopify', orderId: 'x' } },
        400,
        'invalid_request',
        '/lines',
        'required',
      ],
      ['a wrong type', line({ quantity: '1' }), 400, 'invalid_request', '/lines/0/quantity', 'type'],
      ['quantity 0', line({ quantity: 0 }), 400, 'invalid_request', '/lines/0/quantity', 'minimum'],
      ['a fraction of a unit', line({ quantity: 1.5 }), 400, 'invalid_request', '/lines/0/quantity', 'type'],
      ['201 lines', { ...line({}), lines: Array(201).fill(shirts(1)) }, 400, 'invalid_request', '/lines', 'max_items'],
      ['an unknown order', line({}), 404, 'order_not_found', '/order', 'unknown'],
    ])('with %s', async (_, body, status, code, path, fieldError) => {
      const answer = await create(body);
      expect(answer).toMatchObject({ status, body: { status, code, traceId: expect.any(String) } });
      expect(answer.body.errors).toContainEqual({ path, code: fieldError, message: expect.any(String) });
      expect(answer.headers.get('content-type')).toBe('application/problem+json');
    });

    it('with a body of 1.1 MiB', async () => {
      const answer = await create(JSON.stringify({ order: 'x'.repeat(1.1 * mebibyte) }));
      expect(answer).toMatchObject({ status: 413, body: { code: 'payload_too_large' } });
    });

    it('with a body of another content type', async () => {
      expect(await create('{}', { 'content-type': 'text/plain' })).toMatchObject({
        status: 415,
        body: { code: 'unsupported_media_type', errors: [{ path: 'header:Content-Type' }] },
      });
    });

    it('with a lone surrogate in any field', async () => {
      const order = await registerOrder(service);
      const cut = {
        ...returnOf(order),
        metadata: { a: 'x\ud83d' },
        lines: [shirts(1, { reason: { code: 'other', note: '\udc4d' } })],
      };
      const answer = await create(JSON.stringify(cut));
      expect(answer).toMatchObject({ status: 400, body: { code: 'invalid_request' } });
      expect(answer.body.errors.map(({ path, code }) => `${path} ${code}`).toSorted()).toEqual([
        '/lines/0/reason/note unicode',
        '/metadata/a unicode',
      ]);
      expect((await create(JSON.stringify(returnOf(order)))).status).toBe(201);
    });

    it('with the same external reference twice', async () => {
      const ref = { platform: 'shopify', id: 'gid://shopify/Return/1' };
      const answer = await create({ ...line({}), externalRefs: [ref, ref] });
      expect(answer).toMatchObject({ status: 400, body: { errors: [{ path: '/externalRefs', code: 'duplicate' }] } });
    });

    it.each(['.', '..', 'a/b', 'a b'])('with an order id that no path can contain: %s', async (orderId) => {
      const answer = await create({ ...line({}), order: { platform: 'shopify', orderId } });
      expect(answer).toMatchObject({ status: 400, body: { errors: [{ path: '/order/orderId', code: 'pattern' }] } });
    });

    it('without an Idempotency-Key', async () => {
      const order = await registerOrder(service);
      expect(await service.post('/returns', returnOf(order), { key: null })).toMatchObject({
        status: 400,
        body: { code: 'idempotency_key_required', errors: [{ path: 'header:Idempotency-Key', code: 'required' }] },
      });
    });

    it.each([
      ['returns-on-behalf-of', 'Ada Marker', 'header:Returns-On-Behalf-Of'],
      ['if-match', '3', 'header:If-Match'],
      ['idempotency-key', 'a key', 'header:Idempotency-Key'],
    ])('with a malformed %s', async (name, value, path) => {
      const { id } = await createReturn(service);
      const answer = await service.post(`/returns/${id}/approve`, {}, { headers: { [name]: value } });
      expect(answer).toMatchObject({ status: 400, body: { code: 'invalid_request', errors: [{ path }] } });
      expect(JSON.stringify(answer.body)).not.toContain('Marker');
    });

    it.each([
      ['/returns/ret_1', '/returnId', 'pattern'],
      ['/returns/ret_00000000000000000000000000?expand=lines', '/expand', 'unknown_field'],
      ['/returns/ret_00000000000000000000000000/history?limit=0', '/limit', 'minimum'],
      ['/returns/ret_00000000000000000000000000/history?limit=ten', '/limit', 'type'],
      ['/returns/ret_00000000000000000000000000/history?limit=1&limit=2', '/limit', 'type'],
      ['/returns/ret_00000000000000000000000000/history?limit=1e400', '/limit', 'type'],
      ['/returns/ret_00000000000000000000000000/history?limit=-Infinity', '/limit', 'type'],
      ['/returns/ret_00000000000000000000000000/history?limit=0x10', '/limit', 'type'],
      ['/returns/ret_00000000000000000000000000/history?limit=%201', '/limit', 'type'],
      ['/returns/ret_00000000000000000000000000/history?__proto__=1', '/__proto__', 'unknown_field'],
      ['/returns/ret_00000000000000000000000000/history?dryRun=true', '/dryRun', 'unknown_field'],
    ])('with an invalid path or query: %s', async (path, at, code) => {
      const answer = await service.get(path);
      expect(answer).toMatchObject({ status: 400, body: { code: 'invalid_request' } });
      expect(answer.body.errors).toContainEqual({ path: at, code, message: expect.any(String) });
    });

    it('with a dryRun that is not a boolean', async () => {
      expect(await service.post('/returns?dryRun=yes', {})).toMatchObject({ status: 400 });
    });

    it('with more units than are returnable', async () => {
      const order = await registerOrder(service);
      expect(await service.post('/returns', returnOf(order, 4))).toMatchObject({
        status: 422,
        body: {
          code: 'quantity_exceeds_returnable',
          errors: [{ path: '/lines/0/quantity', message: 'must be at most 3' }],
        },
      });
    });

    it('with an unknown reason, which the response does not repeat', async () => {
      const order = await registerOrder(service);
      const answer = await service.post('/returns', { order, lines: [shirts(1, { reason: { code: 'marker' } })] });
      expect(answer).toMatchObject({ status: 422, body: { code: 'reason_unknown' } });
      expect(JSON.stringify(answer.body)).not.toContain('marker');
    });
  });

  describe('orders that registerOrder rejects', () => {
    const register = async (facts: object) =>
      service.put(orderPath({ platform: 'shopify', orderId: randomUUID() }), shopOrder(facts));
    const priced = (unitPrice: object) => ({ lines: [{ lineId: '1', quantity: 1, unitPrice }] });

    it.each([
      [
        'fractional money',
        priced({ amount: 10.5, currency: 'EUR' }),
        400,
        'invalid_request',
        '/lines/0/unitPrice/amount',
      ],
      ['negative money', priced({ amount: -1, currency: 'EUR' }), 400, 'invalid_request', '/lines/0/unitPrice/amount'],
      [
        'an amount out of range',
        priced({ amount: 1e15, currency: 'EUR' }),
        400,
        'invalid_request',
        '/lines/0/unitPrice/amount',
      ],
      [
        'another currency',
        priced({ amount: 10, currency: 'USD' }),
        422,
        'currency_mismatch',
        '/lines/0/unitPrice/currency',
      ],
      [
        'an unknown currency',
        { ...priced({ amount: 10, currency: 'ZZZ' }), currency: 'ZZZ' },
        400,
        'invalid_request',
        '/currency',
      ],
      ['an invalid day', { placedAt: '2026-02-30T00:00:00Z' }, 400, 'invalid_request', '/placedAt'],
      ['an offset of a whole day', { placedAt: '2026-02-03T00:00:00+24:00' }, 400, 'invalid_request', '/placedAt'],
      ['a leap second', { observedAt: '2026-11-02T23:59:60Z' }, 400, 'invalid_request', '/observedAt'],
      ['a time with a space', { placedAt: '2026-11-02 08:00:00Z' }, 400, 'invalid_request', '/placedAt'],
      ['an observation from the future', { observedAt: '9999-12-31T00:00:00Z' }, 400, 'invalid_request', '/observedAt'],
      ['a lone surrogate', { number: '#1 \ud83d' }, 400, 'invalid_request', '/number'],
      ['no lines', { lines: [] }, 400, 'invalid_request', '/lines'],
    ])('with %s', async (_, facts, status, code, path) => {
      const answer = await register(facts);
      expect(answer).toMatchObject({ status, body: { code } });
      expect(answer.body.errors.map((error: { path: string }) => error.path)).toContain(path);
    });

    it('with too much data for one record', async () => {
      const noise = (length: number) => randomBytes(length).toString('base64').slice(0, length);
      const lines = Array.from({ length: 500 }, (_, index) => ({
        lineId: String(index),
        title: noise(500),
        tags: Array.from({ length: 6 }, () => noise(200)),
        quantity: 1,
        unitPrice: { amount: 1, currency: 'EUR' },
      }));
      expect(await register({ lines })).toMatchObject({ status: 413, body: { code: 'payload_too_large' } });
    });
  });
});

/** Returns a token with a reader's claims, signed with the identity provider's key. */
const signed = async ({ expiresIn = 60, audience = stack().audience }: { expiresIn?: number; audience?: string }) => {
  const file = join(stackDataDir(), 'identity-provider.json');
  const { keys } = (JSON.parse(await readFile(file, 'utf8')) as { jwks: { keys: [Record<string, string>] } }).jwks;
  const now = Math.floor(Date.now() / 1000);
  return new SignJWT({ client_id: 'returns-reader', scope: 'returns:read' })
    .setProtectedHeader({ alg: 'RS256', typ: 'at+jwt', kid: keys[0]['kid'] ?? '' })
    .setIssuer(stack().issuer)
    .setAudience(audience)
    .setIssuedAt(now - 100)
    .setExpirationTime(now + expiresIn)
    .sign(await importJWK(keys[0], 'RS256'));
};
