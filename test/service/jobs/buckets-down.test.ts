import { afterEach, describe, expect, it, vi } from 'vitest';
import * as objects from '../../../lib/store/engine/objects.ts';
import { openSession } from '../../../lib/store/engine/session.ts';
import { restoreEnvironment, stubEnvironment } from '../../support/environment.ts';
import { type Answer, type Respond, startServer } from '../../support/http-server.ts';
import { ampleDeadline } from '../../support/time.ts';

afterEach(() => {
  vi.useRealTimers();
  restoreEnvironment();
});

/** Longer than any test, so that only the fake clock ends an attempt. */
const attemptMs = 600_000;
const location = { bucket: 'files', key: 'pii/a/1', attemptMs };

/** Returns the bucket functions in a container where S3 responds as given. */
const against = async (respond: Respond) => {
  const server = await startServer(respond);
  stubEnvironment({ AWS_ENDPOINT_URL_S3: server.origin, TABLE_NAME: 'unit' });
  const session = openSession(ampleDeadline());
  const tried = async () => [
    await objects.deleteObject(session, location).then(() => 'deleted', nameOf),
    await objects.putObject(session, location, Buffer.from('a')).then(() => 'stored', nameOf),
    await objects.getObject(session, location).then(() => 'read', nameOf),
    await objects
      .listKeys(session, { bucket: 'files', prefix: 'pii/a/', limit: 1 }, attemptMs)
      .then((keys) => keys, nameOf),
    await objects
      .listVersions(session, { bucket: 'files', prefix: 'pii/a/', limit: 1 }, attemptMs)
      .then((page) => page, nameOf),
  ];
  return {
    tried,
    methods: () => server.requests.map(({ method }) => method).join(' '),
    [Symbol.asyncDispose]: async () => {
      session[Symbol.dispose]();
      await server[Symbol.asyncDispose]();
    },
  };
};
const nameOf = (error: unknown): string => (error instanceof Error ? error.name : 'nothing');
const unavailable = Array.from({ length: 5 }, () => 'ObjectsUnavailable');

describe('bucket', () => {
  it.each<[string, () => Answer]>([
    [
      'hangs',
      () => {
        vi.advanceTimersByTime(attemptMs);
        return 'hang';
      },
    ],
    ['resets the connection', () => 'reset'],
    ['is busy', () => ({ status: 503 })],
  ])('that %s is asked twice, and is then unavailable', async (_, answer) => {
    await using bucket = await against(answer);
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
    expect(await bucket.tried()).toEqual(unavailable);
    expect(bucket.methods()).toBe('DELETE DELETE PUT PUT GET GET GET GET GET GET');
  });

  it.each<[string, Answer]>([
    ['denies access', { status: 403, body: '<Error><Code>AccessDenied</Code></Error>' }],
    ['does not exist', { status: 404, body: '<Error><Code>NoSuchBucket</Code></Error>' }],
  ])('that %s is asked once, and nothing counts as deleted or listed', async (_, answer) => {
    await using bucket = await against(() => answer);
    expect(await bucket.tried()).toEqual(unavailable);
    expect(bucket.methods()).toBe('DELETE PUT GET GET GET');
  });

  it('that fails once is asked again', async () => {
    const seen = new Set<string>();
    await using bucket = await against(({ method, path }) => {
      const name = `${method} ${path.replace(/\?.*/, '')}`;
      if (!seen.has(name)) {
        seen.add(name);
        return 'reset';
      }
      const body = '<Version><Key>pii/a/1</Key><VersionId>v</VersionId></Version>';
      return method === 'DELETE' ? { status: 204 } : { status: 200, body };
    });
    const version = { key: 'pii/a/1', versionId: 'v' };
    expect(await bucket.tried()).toEqual(['deleted', 'stored', 'read', ['pii/a/1'], { versions: [version] }]);
  });
});
