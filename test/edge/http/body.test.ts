import { describe, expect, it } from 'vitest';
import { createReturn } from '../../../lib/contract/operations.ts';
import { bodyOf, maxBodyBytes } from '../../../lib/edge/http/body.ts';
import type { HttpEvent } from '../../../lib/edge/http/event.ts';

const event = (body: Buffer): HttpEvent =>
  ({
    headers: { 'content-type': 'application/json; charset=utf-8' },
    body: body.toString('base64'),
    isBase64Encoded: true,
  }) as unknown as HttpEvent;

describe('request body', () => {
  it('decodes the exact bytes of a base64 body', () => {
    expect(bodyOf(event(Buffer.from('{"note":"größer 👍"}')), createReturn)).toEqual({
      ok: true,
      value: { note: 'größer 👍' },
    });
  });

  /** Returns a body of the given size, mostly of two-byte characters. */
  const bodyOfBytes = (bytes: number): string => {
    const frame = JSON.stringify({ note: '' });
    const left = bytes - frame.length;
    return JSON.stringify({ note: 'é'.repeat(Math.floor(left / 2)) + 'x'.repeat(left % 2) });
  };

  it.each<[string, (body: string) => HttpEvent]>([
    ['base64', (body) => event(Buffer.from(body))],
    ['text', (body) => ({ ...event(Buffer.from('')), body, isBase64Encoded: false })],
  ])('measures a %s body by its bytes', (_, eventOf) => {
    expect(bodyOf(eventOf(bodyOfBytes(maxBodyBytes)), createReturn)).toMatchObject({ ok: true });
    expect(bodyOf(eventOf(bodyOfBytes(maxBodyBytes + 1)), createReturn)).toMatchObject({
      ok: false,
      failure: { code: 'payload_too_large' },
    });
  });

  it('names the place of the error in malformed JSON, and quotes nothing of it', () => {
    const failed = bodyOf(event(Buffer.from('{\n  "note": "größer"\n  "email": "a@b.example"\n}')), createReturn);
    const message = 'must be JSON (RFC 8259); the error is at line 3, column 3';
    expect(failed).toMatchObject({ ok: false, failure: { errors: [{ path: '', code: 'json', message }] } });
  });

  it.each([
    ['a lone byte', [0xff]],
    ['an incomplete character', [0xc3]],
    ['an overlong encoding', [0xc0, 0xaf]],
  ])('returns 400 for %s, which is not UTF-8', (_, bytes) => {
    const body = Buffer.concat([Buffer.from('{"note":"'), Buffer.from(bytes), Buffer.from('"}')]);
    expect(bodyOf(event(body), createReturn)).toMatchObject({
      ok: false,
      failure: { code: 'invalid_request', errors: [{ code: 'json' }] },
    });
  });
});
