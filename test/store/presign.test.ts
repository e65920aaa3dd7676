import { afterEach, expect, it, vi } from 'vitest';

afterEach(() => vi.unstubAllEnvs());

it.each([
  ['eu-central-1', 'files.s3.eu-central-1.amazonaws.com'],
  ['us-gov-west-1', 'files.s3.us-gov-west-1.amazonaws.com'],
  ['cn-north-1', 'files.s3.cn-north-1.amazonaws.com.cn'],
])('an address of a file in %s has the host of its partition', async (region, host) => {
  vi.stubEnv('AWS_REGION', region);
  vi.stubEnv('AWS_ENDPOINT_URL_S3', '');
  vi.resetModules();
  const { presign } = await import('../../lib/store/engine/presign.ts');
  const asked = { bucket: 'files', key: 'a', method: 'GET', headers: {}, query: {}, seconds: 60 } as const;
  expect(new URL((await presign(asked, 0)).url).host).toBe(host);
});
