import { describe, expect, onTestFinished, test } from 'vitest';
import { startVersions } from '../../lib/local/emulators/object-versions.ts';
import { startQueues } from '../../lib/local/emulators/queues.ts';
import { temporaryDirectory } from './support.ts';

/** Starts S3 with a bucket, which has versions from the call of `version` on. */
const start = async () => {
  const store = await startQueues(await temporaryDirectory(), 0);
  const versions = await startVersions(store.url);
  onTestFinished(async () => {
    await versions.close();
    await store.close();
  });
  const bucket = `${versions.url}/files`;
  await fetch(bucket, { method: 'PUT' });
  const send = async (method: string, path: string, body?: string) => {
    const response = await fetch(`${bucket}/${path}`, { method, ...(body !== undefined && { body }) });
    return [response.status, await response.text()] as const;
  };
  return {
    version: async () => send('PUT', '?versioning'),
    put: async (key: string, body: string) => send('PUT', key, body),
    get: async (path: string) => send('GET', path),
    remove: async (path: string) => send('DELETE', path),
    listed: async () => Array.from((await send('GET', '?list-type=2'))[1].matchAll(/<Key>([^<]+)</g), ([, key]) => key),
    /** Returns the versions as S3 lists them: key, id, kind, and whether it is the latest. */
    versions: async (query = '') => {
      const [, text] = await send('GET', `?versions${query}`);
      const entries = text.matchAll(
        /<(Version|DeleteMarker)><Key>([^<]+)<\/Key><VersionId>([^<]+)<\/VersionId><IsLatest>(\w+)/g,
      );
      return Array.from(entries, ([, kind, key, id = '', latest]) => ({ kind, key, id, latest: latest === 'true' }));
    },
  };
};

describe('versions of the object storage emulator', () => {
  test('keep what an upload replaces, newest first', async () => {
    const s3 = await start();
    await s3.version();
    for (const body of ['one', 'two']) expect((await s3.put('a/1', body))[0]).toBe(200);
    expect(await s3.get('a/1')).toEqual([200, 'two']);
    expect(await s3.listed()).toEqual(['a/1']);
    const [latest, old, ...others] = await s3.versions();
    expect(others).toEqual([]);
    expect([latest, old]).toMatchObject([
      { kind: 'Version', key: 'a/1', latest: true },
      { kind: 'Version', key: 'a/1', latest: false },
    ]);
    expect(await s3.get(`a/1?versionId=${old?.id}`)).toEqual([200, 'one']);
  });

  test('hide an object behind a delete marker, without which it is there again', async () => {
    const s3 = await start();
    await s3.version();
    await s3.put('a/1', 'one');
    expect((await s3.remove('a/1'))[0]).toBe(204);
    expect((await s3.get('a/1'))[0]).toBe(404);
    expect(await s3.listed()).toEqual([]);
    const [marker] = await s3.versions();
    expect(marker).toMatchObject({ kind: 'DeleteMarker', latest: true });
    await s3.remove(`a/1?versionId=${marker?.id}`);
    expect(await s3.get('a/1')).toEqual([200, 'one']);
  });

  test('are gone for good after a deletion of each, and the one before becomes the latest', async () => {
    const s3 = await start();
    await s3.version();
    for (const body of ['one', 'two']) await s3.put('a/1', body);
    const [latest, old] = await s3.versions();
    await s3.remove(`a/1?versionId=${latest?.id}`);
    expect(await s3.get('a/1')).toEqual([200, 'one']);
    await s3.remove(`a/1?versionId=${old?.id}`);
    expect((await s3.get('a/1'))[0]).toBe(404);
    expect(await s3.versions()).toEqual([]);
  });

  test('begin with the version null of an earlier object', async () => {
    const s3 = await start();
    await s3.put('a/1', 'one');
    await s3.put('a/2', 'other');
    await s3.version();
    expect(await s3.versions()).toMatchObject([
      { key: 'a/1', id: 'null', latest: true },
      { key: 'a/2', id: 'null', latest: true },
    ]);
    await s3.put('a/1', 'two');
    expect((await s3.versions()).map(({ key, id }) => [key, id === 'null'])).toEqual([
      ['a/1', false],
      ['a/1', true],
      ['a/2', true],
    ]);
    expect((await s3.remove('a/2?versionId=null'))[0]).toBe(204);
    expect(await s3.listed()).toEqual(['a/1']);
  });

  test('are listed page by page, after a version', async () => {
    const s3 = await start();
    await s3.version();
    for (const key of ['a/1', 'a/1', 'a/2', 'b/1']) await s3.put(key, 'x');
    const all = await s3.versions('&prefix=a/');
    expect(all.map(({ key }) => key)).toEqual(['a/1', 'a/1', 'a/2']);
    const [first] = await s3.versions('&prefix=a/&max-keys=1');
    expect(first).toEqual(all[0]);
    const rest = await s3.versions(`&prefix=a/&key-marker=a/1&version-id-marker=${first?.id}`);
    expect(rest).toEqual(all.slice(1));
    expect((await s3.versions('&prefix=a/&key-marker=a/1')).map(({ key }) => key)).toEqual(['a/2']);
  });

  test('do not exist in a bucket without them: a deletion is final', async () => {
    const s3 = await start();
    await s3.put('a/1', 'one');
    await s3.remove('a/1');
    expect((await s3.get('a/1'))[0]).toBe(404);
    expect(await s3.listed()).toEqual([]);
  });
});
