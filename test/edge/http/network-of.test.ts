import { describe, expect, it } from 'vitest';
import { networkOf } from '../../../lib/edge/http/event.ts';

describe('networkOf', () => {
  it.each([
    ['203.0.113.77', '203.0.113.0/24'],
    ['::ffff:203.0.113.77', '203.0.113.0/24'],
    ['2001:db8:1:2:3:4:5:6', '2001:db8:1::/48'],
    ['2001:DB8::6', '2001:db8:0::/48'],
    ['::1', '0:0:0::/48'],
    ['2001:db8:1::', '2001:db8:1::/48'],
    ['a name', undefined],
    ['', undefined],
  ])('returns for %s the network %s', (ip, network) => {
    expect(networkOf({ requestContext: { http: { sourceIp: ip } } })).toBe(network);
  });

  it('is omitted when the request does not state it', () => {
    expect(networkOf({ requestContext: {} })).toBeUndefined();
  });
});
