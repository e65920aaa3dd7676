import { expect, it } from 'vitest';
import { createReturn } from '../../lib/contract/operations.ts';
import { bodyOf } from '../../lib/http/body.ts';
import type { HttpEvent } from '../../lib/http/event.ts';

const event = (body: Buffer): HttpEvent =>
  ({
    headers: { 'content-type': 'application/json; charset=utf-8' },
    body: body.toString('base64'),
    isBase64Encoded: true,
  }) as unknown as HttpEvent;

it('reads the very bytes that a gateway hands over in base64', () => {
  expect(bodyOf(event(Buffer.from('{"note":"größer 👍"}')), createReturn)).toEqual({
    ok: true,
    value: { note: 'größer 👍' },
  });
});

it.each([
  ['a lone byte', [0xff]],
  ['half a character', [0xc3]],
  ['an overlong one', [0xc0, 0xaf]],
])('refuses %s: it is not UTF-8', (_, bytes) => {
  const body = Buffer.concat([Buffer.from('{"note":"'), Buffer.from(bytes), Buffer.from('"}')]);
  expect(bodyOf(event(body), createReturn)).toMatchObject({
    ok: false,
    failure: { code: 'invalid_request', errors: [{ code: 'json' }] },
  });
});
