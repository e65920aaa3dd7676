import { describe, expect, it } from 'vitest';
import { testAuthority } from '../support/certificate.ts';
import { row, startWorld, withStatus } from './harness.ts';

const root = testAuthority('root');
const { certificate, privateKey } = root.issue('returns-client');
/** Without its last line and a half. */
const cut = root.certificate.slice(0, -40);

describe('the doctor finds what can be read in part', () => {
  it('in a chain, which TLS would not take', async () => {
    await using world = await startWorld({ secret: { certificate: `${certificate}${cut}`, privateKey } });
    const report = await world.examine();
    expect(row(report, 'certificate')).toMatchObject({
      status: 'failed',
      detail: expect.stringContaining('TLS rejects the pair'),
      remedy: expect.stringContaining('with the complete chain'),
    });
    expect(withStatus(report, 'skipped')).toContain('token endpoint');
  });

  it('among the roots, of which TLS would pass over some', async () => {
    const ca = `${root.certificate}${cut}`;
    await using world = await startWorld({ secret: { certificate, privateKey, ca } });
    const report = await world.examine();
    expect(row(report, 'ca')).toMatchObject({ status: 'failed', detail: 'is not PEM' });
    expect(withStatus(report, 'skipped')).toContain('token endpoint');
  });
});
