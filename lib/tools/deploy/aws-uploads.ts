import { createHash, randomBytes } from 'node:crypto';
import { elementIn, failed, type Finding, passed, reasonOf, timeoutMs } from './aws-call.ts';
import { tableName } from './aws-partitions.ts';
import type { DeployedStage } from './stack-outputs.ts';

/* Proves in a deployed stage that S3 stores a file only as it was announced. */

type Try = { readonly change: string; readonly body: string; readonly type: string; readonly expected: RegExp };

const bytes = 'returns aws-check';

/** The last try proves that only the changes were rejected. */
const tries: readonly Try[] = [
  { change: 'another length', body: `${bytes}!`, type: 'image/png', expected: /^403 / },
  { change: 'another type', body: bytes, type: 'text/html', expected: /^403 / },
  { change: 'another content', body: bytes.toUpperCase(), type: 'image/png', expected: /^400 / },
  { change: 'the announced file', body: bytes, type: 'image/png', expected: /^200$/ },
];

/**
 * Uploads to an address as `addAttachment` signs it: S3 must reject another length, type or content. Each stored version
 * is deleted.
 * https://docs.aws.amazon.com/AmazonS3/latest/API/sigv4-query-string-auth.html
 * https://docs.aws.amazon.com/AmazonS3/latest/userguide/checking-object-integrity-upload.html
 */
export const checkUploads = async (stage: DeployedStage): Promise<Finding> => {
  if (stage.mode !== 'standalone') return { result: 'skipped', why: 'the connected mode signs no uploads' };
  const bucket = stage.physical('EvidenceBucket');
  Object.assign(process.env, {
    AWS_REGION: stage.region,
    EVIDENCE_BUCKET: bucket,
    TABLE_NAME: tableName(stage),
  });
  // These modules read the variables above.
  const [{ createUpload }, { presign }] = await Promise.all([
    import('../../store/personal/evidence.ts'),
    import('../../store/engine/presign.ts'),
  ]);
  const key = `pii/aws-check-${randomBytes(8).toString('hex')}/file`;
  const sha256 = createHash('sha256').update(bytes).digest('base64');
  const announced = { contentType: 'image/png', size: bytes.length, sha256 } as const;
  const { url, headers } = await createUpload(key, announced, Date.now());
  const remains = `the file ${key} of this check may remain in ${bucket}: delete all of its versions by hand`;

  const remove = async (versionId: string): Promise<boolean> => {
    const query = versionId === '' ? {} : { versionId };
    const deletion = await presign({ bucket, key, method: 'DELETE', headers: {}, query, seconds: 60 }, Date.now());
    return (await fetch(deletion.url, { method: 'DELETE', signal: AbortSignal.timeout(timeoutMs) })).ok;
  };
  const attempt = async ({ change, body, type, expected }: Try): Promise<readonly string[]> => {
    const signal = AbortSignal.timeout(timeoutMs);
    const response = await fetch(url, { method: 'PUT', headers: { ...headers, 'content-type': type }, body, signal });
    const code = `${response.status} ${elementIn(await response.text(), 'Code')}`.trim();
    const errors = expected.test(code) ? [] : [`${change} gets ${code}`];
    // After a 5xx, S3 may have stored the file.
    if (response.status >= 500) return [...errors, remains];
    if (!response.ok || (await remove(response.headers.get('x-amz-version-id') ?? ''))) return errors;
    return [...errors, remains];
  };

  const errors: string[] = [];
  for (const variant of tries) {
    try {
      errors.push(...(await attempt(variant)));
    } catch (error) {
      errors.push(`${variant.change} gets no answer: ${reasonOf(error)}`, remains);
      break;
    }
  }
  return errors.length === 0
    ? passed('S3 refuses another length, type and content, and stores the announced file')
    : failed([...new Set(errors)].join('; '));
};
