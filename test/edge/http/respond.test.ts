import { describe, expect, it } from 'vitest';
import { ok } from '../../../lib/runtime/result.ts';
import { respond } from '../../../lib/edge/http/operation.ts';
import { JsonText } from '../../../lib/runtime/json.ts';

describe('response over HTTP', () => {
  it('is the result as JSON', () => {
    expect(respond(ok({ status: 201, body: { a: [1] }, version: 3, location: '/v1/x', replayed: true }), 't')).toEqual({
      statusCode: 201,
      headers: {
        'content-type': 'application/json',
        'cache-control': 'no-store',
        etag: '"3"',
        location: '/v1/x',
        'idempotency-replayed': 'true',
      },
      body: '{"a":[1]}',
    });
  });

  it('passes a body through without a change', () => {
    const text = '{ "amount" : 1.0, "id" : 12345678901234567890, "id" : 2 }\n';
    expect(respond(ok({ status: 200, body: new JsonText(text) }), 't').body).toBe(text);
  });
});
