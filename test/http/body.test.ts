import { expect, it } from 'vitest';
import { createReturn } from '../../lib/contract/operations.ts';
import { bodyOf, maxBodyBytes } from '../../lib/http/body.ts';
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

/** A body of so many bytes, nearly all of them in characters of two. */
const bodyOfBytes = (bytes: number): string => {
  const frame = JSON.stringify({ note: '' });
  const left = bytes - frame.length;
  return JSON.stringify({ note: 'é'.repeat(Math.floor(left / 2)) + 'x'.repeat(left % 2) });
};

it.each<[string, (body: string) => HttpEvent]>([
  ['in base64', (body) => event(Buffer.from(body))],
  ['as text', (body) => ({ ...event(Buffer.from('')), body, isBase64Encoded: false })],
])('measures a body that comes %s by its bytes', (_, eventOf) => {
  expect(bodyOf(eventOf(bodyOfBytes(maxBodyBytes)), createReturn)).toMatchObject({ ok: true });
  expect(bodyOf(eventOf(bodyOfBytes(maxBodyBytes + 1)), createReturn)).toMatchObject({
    ok: false,
    failure: { code: 'payload_too_large' },
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
