import { describe, expect, it } from 'vitest';
import { headersToStore } from '../../lib/inbox/store-and-enqueue.ts';

describe('headersToStore', () => {
  it('keeps the headers that describe the delivery and drops credentials', () => {
    const kept = { 'content-type': 'application/json', 'x-shopify-topic': 'returns/request' };
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
    const sent = { ...kept, ...Object.fromEntries(credentials.map((name) => [name, 'private'])), absent: undefined };
    expect(headersToStore(sent)).toEqual(kept);
  });

  it('keeps at most 16 KiB', () => {
    const sent = Object.fromEntries(Array.from({ length: 100 }, (_, index) => [`x-${index}`, 'v'.repeat(1000)]));
    const kept = headersToStore(sent);
    expect(JSON.stringify(kept).length).toBeLessThan(17_000);
    expect(Object.keys(kept)).toHaveLength(16);
  });
});
