import { describe, expect, it } from 'vitest';
import { headersToStore } from '../../../lib/shops/inbox/store-and-enqueue.ts';

describe('headersToStore', () => {
  it('keeps the headers that describe the delivery and drops credentials', () => {
    const stored = { 'content-type': 'application/json', 'x-shopify-topic': 'returns/request' };
    const credentials = [
      'Authorization',
      'cookie',
      'x-vtex-token',
      'x-hook-secret',
      'x-api-key',
      'proxy-authorization',
      'x-auth',
      'x-functions-key',
      'x-passwd',
      'x-session-id',
    ];
    const sent = { ...stored, ...Object.fromEntries(credentials.map((name) => [name, 'private'])), absent: undefined };
    expect(headersToStore(sent)).toEqual(stored);
  });

  it('keeps at most 16 KiB', () => {
    const sent = Object.fromEntries(Array.from({ length: 100 }, (_, index) => [`x-${index}`, 'v'.repeat(1000)]));
    const stored = headersToStore(sent);
    expect(JSON.stringify(stored).length).toBeLessThan(17_000);
    expect(Object.keys(stored)).toHaveLength(16);
  });
});
