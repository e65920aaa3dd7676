import { describe, expect, it } from 'vitest';
import { consumerZone } from '../../../lib/edge/withdraw-page/consumer-zone.ts';

describe('consumerZone', () => {
  it.each([
    ['pt-PT,pt;q=0.9', 'Europe/Lisbon'],
    ['es-ES;q=0.8', 'Europe/Madrid'],
    ['de-DE', 'Europe/Berlin'],
    ['en-IE', 'Europe/Dublin'],
    ['ja-JP', 'Asia/Tokyo'],
    ['en-US', 'Etc/UTC'],
    ['de', 'Etc/UTC'],
    ['*', 'Etc/UTC'],
    ['x'.repeat(9000), 'Etc/UTC'],
    [undefined, 'Etc/UTC'],
  ])('returns for Accept-Language %s the zone %s', (accepted, zone) => {
    expect(consumerZone(accepted, 'Etc/UTC')).toBe(zone);
  });
});
