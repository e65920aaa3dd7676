import { describe, expect, it } from 'vitest';
import { testAuthority } from '../../support/certificate.ts';
import { row, startWorld, withStatus } from './harness.ts';

const root = testAuthority('root');
const { certificate, privateKey } = root.issue('returns-client');
/** Returns the text without its last line and a half. */
const cut = root.certificate.slice(0, -40);

describe('doctor check of partly readable certificates', () => {
  it('fails for a chain that TLS would reject', async () => {
    await using world = await startWorld({ secret: { certificate: `${certificate}${cut}`, privateKey } });
    const report = await world.examine();
    expect(row(report, 'certificate')).toMatchObject({
      status: 'failed',
      detail: expect.stringContaining('TLS rejects the pair'),
      remedy: expect.stringContaining('with the complete chain'),
    });
    expect(withStatus(report, 'skipped')).toContain('token endpoint');
  });

  it('fails for CA certificates that TLS would partly ignore', async () => {
    const ca = `${root.certificate}${cut}`;
    await using world = await startWorld({ secret: { certificate, privateKey, ca } });
    const report = await world.examine();
    expect(row(report, 'ca')).toMatchObject({ status: 'failed', detail: 'is not PEM' });
    expect(withStatus(report, 'skipped')).toContain('token endpoint');
  });
});
