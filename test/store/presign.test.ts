import { afterEach, describe, expect, it } from 'vitest';
import { presign } from '../../lib/store/engine/presign.ts';
import { restoreEnvironment, stubEnvironment } from '../support/environment.ts';

afterEach(restoreEnvironment);

describe('presign', () => {
  it.each([
    ['eu-central-1', 'files.s3.eu-central-1.amazonaws.com'],
    ['us-gov-west-1', 'files.s3.us-gov-west-1.amazonaws.com'],
    ['cn-north-1', 'files.s3.cn-north-1.amazonaws.com.cn'],
  ])('uses the host of the partition in %s', async (region, host) => {
    stubEnvironment({ AWS_REGION: region, AWS_ENDPOINT_URL_S3: undefined, TABLE_NAME: 'unit' });
    const request = { bucket: 'files', key: 'a', method: 'GET', headers: {}, query: {}, seconds: 60 } as const;
    expect(new URL((await presign(request, 0)).url).host).toBe(host);
  });
});
