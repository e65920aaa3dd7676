import { afterEach, describe, expect, it } from 'vitest';
import { openSession } from '../../lib/store/engine/session.ts';
import { eraseEvidence } from '../../lib/store/personal/evidence.ts';
import { restoreEnvironment, stubEnvironment } from '../support/environment.ts';
import { startServer } from '../support/http-server.ts';
import { ampleDeadline } from '../support/time.ts';

afterEach(restoreEnvironment);

type Version = { readonly key: string; readonly id: string };

/** Two files: one with three versions, and one with two versions, the latest of which is a delete marker. */
const stored: readonly Version[] = [
  { key: 'pii/ret_1/a', id: 'v3' },
  { key: 'pii/ret_1/a', id: 'v2' },
  { key: 'pii/ret_1/a', id: 'v1' },
  { key: 'pii/ret_1/b', id: 'marker' },
  { key: 'pii/ret_1/b', id: 'v1' },
];

const entryOf = ({ key, id }: Version): string => {
  const tag = id === 'marker' ? 'DeleteMarker' : 'Version';
  return `<${tag}><Key>${key}</Key><VersionId>${id}</VersionId></${tag}>`;
};

type Pages = {
  /** The versions that a page has, fewer than the request permits. */
  readonly size: number;
  /** Whether the markers name the first version that the page lacks, as the documentation says. */
  readonly namesNext?: boolean;
  /** Whether the first page has no versions. */
  readonly beginsEmpty?: boolean;
};

/** Starts an S3 that returns short pages. */
const startBucket = async ({ size, namesNext = false, beginsEmpty = false }: Pages) => {
  let versions = stored;
  const server = await startServer(({ method, path }) => {
    const { pathname, searchParams: query } = new URL(path, 'http://s3.invalid');
    if (method === 'DELETE') {
      versions = versions.filter(({ key, id }) => !pathname.endsWith(key) || id !== query.get('versionId'));
      return { status: 204 };
    }
    const marker = versions.findIndex(
      ({ key, id }) => key === query.get('key-marker') && id === query.get('version-id-marker'),
    );
    const begin = namesNext ? Math.max(marker, 0) : marker + 1;
    const length = beginsEmpty && !query.has('key-marker') ? 0 : size;
    const end = begin + length;
    const next =
      end < versions.length ? (versions[namesNext ? end : end - 1] ?? { key: 'pii/ret_1/', id: '' }) : undefined;
    const markers =
      next === undefined
        ? '<IsTruncated>false</IsTruncated>'
        : `<IsTruncated>true</IsTruncated><NextKeyMarker>${next.key}</NextKeyMarker><NextVersionIdMarker>${next.id}</NextVersionIdMarker>`;
    const entries = versions.slice(begin, end).map(entryOf).join('');
    return { status: 200, body: `<ListVersionsResult>${markers}${entries}</ListVersionsResult>` };
  });
  stubEnvironment({ AWS_ENDPOINT_URL_S3: server.origin, EVIDENCE_BUCKET: 'files', TABLE_NAME: 'unit' });
  const session = openSession(ampleDeadline());
  return {
    left: () => versions,
    /** Erases or counts page by page, and returns the number of files. */
    files: async (countOnly: boolean): Promise<number> => {
      let count = 0;
      let after: string | undefined;
      do {
        const page = await eraseEvidence(session, 'ret_1', { after, countOnly });
        count += page.count;
        ({ after } = page);
      } while (after !== undefined);
      return count;
    },
    [Symbol.asyncDispose]: async () => {
      session[Symbol.dispose]();
      await server[Symbol.asyncDispose]();
    },
  };
};

describe('eraseEvidence', () => {
  it.each<[string, Pages]>([
    ['two versions a page', { size: 2 }],
    ['one version a page', { size: 1 }],
    ['markers of the next version', { size: 2, namesNext: true }],
    ['an empty first page', { size: 2, beginsEmpty: true }],
    ['one page', { size: 20 }],
  ])('counts each file once and deletes every version, with %s', async (_, pages) => {
    await using bucket = await startBucket(pages);
    expect(await bucket.files(true)).toBe(2);
    expect(bucket.left()).toEqual(stored);
    expect(await bucket.files(false)).toBe(2);
    expect(bucket.left()).toEqual([]);
  });

  it('fails when S3 announces more versions without their start', async () => {
    await using server = await startServer(() => ({ status: 200, body: '<IsTruncated>true</IsTruncated>' }));
    stubEnvironment({ AWS_ENDPOINT_URL_S3: server.origin, EVIDENCE_BUCKET: 'files', TABLE_NAME: 'unit' });
    using session = openSession(ampleDeadline());
    await expect(eraseEvidence(session, 'ret_1', { after: undefined, countOnly: true })).rejects.toMatchObject({
      name: 'ObjectsUnavailable',
    });
  });
});
