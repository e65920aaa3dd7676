import { appendFile, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, onTestFinished, test, vi } from 'vitest';
import { startEngine } from '../../../lib/tools/local/engine/engine.ts';
import { programs } from './programs.ts';
import { temporaryDirectory } from './support.ts';

/** A fake docker: it records its arguments, and serves the port that `run` publishes. */
const docker = `
  import { appendFileSync } from 'node:fs';
  import { createServer } from 'node:http';
  const [, , log, ...args] = process.argv;
  const note = (words) => appendFileSync(log, JSON.stringify(words) + '\\n');
  note(args);
  if (args[0] === 'run' && args.includes('--rm')) {
    const [port] = args[args.indexOf('--publish') + 1].split(':').slice(-2);
    createServer((_, response) => response.writeHead(400).end()).listen(Number(port), '127.0.0.1');
    process.on('SIGTERM', () => {
      note(['SIGTERM']);
      process.exit(0);
    });
  }
`;

const startDocker = async () => {
  const folder = await temporaryDirectory();
  const [script, log] = [join(folder, 'docker.mjs'), join(folder, 'log')];
  await writeFile(script, docker);
  await appendFile(log, '');
  const path = await programs({ docker: `exec '${process.execPath}' '${script}' '${log}' "$@"` });
  vi.stubEnv('PATH', `${path}:${process.env['PATH']}`);
  onTestFinished(() => void vi.unstubAllEnvs());
  const calls = async () =>
    (await readFile(log, 'utf8'))
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line) as string[]);
  return { folder, calls };
};

describe('Docker engine', () => {
  test.each([
    ['', '127.0.0.1'],
    ['0.0.0.0', '0.0.0.0'],
    ['::', '[::]'],
  ])('runs the pinned image on the data directory, published where HOST "%s" says', async (host, published) => {
    const { folder, calls } = await startDocker();
    vi.stubEnv('HOST', host);
    const engine = await startEngine(folder, 0, { kind: 'docker' });
    const port = new URL(engine.url).port;
    await engine.close();
    expect(engine).toMatchObject({ url: `http://127.0.0.1:${port}`, isForeign: false });
    const [run, ...later] = await calls();
    expect(run?.join(' ')).toContain(` --publish ${published}:${port}:8000 `);
    expect(run?.join(' ')).toMatch(
      new RegExp(
        `^run --rm --name returns-dynamodb-[\\w-]+ --publish \\S+ ` +
          `--mount type=bind,source=${folder}/dynamodb-local,target=/home/dynamodblocal/data --user \\d+:\\d+ ` +
          'amazon/dynamodb-local:\\d+\\.\\d+\\.\\d+ -jar DynamoDBLocal.jar -dbPath /home/dynamodblocal/data -sharedDb -disableTelemetry -cors https://none\\.invalid$',
      ),
    );
    // The client passes the signal on, which ends the container.
    expect(later).toEqual([['SIGTERM']]);
  });

  test('kills the container too, which the client would leave running', async () => {
    const { folder, calls } = await startDocker();
    const engine = await startEngine(folder, 0, { kind: 'docker' });
    await engine.kill?.();
    const [run, ...later] = await calls();
    expect(later).toEqual([['kill', run?.[3]]]);
    await expect(fetch(engine.url)).rejects.toThrow('fetch failed');
  });

  test('reports the output of docker when it cannot run the image', async () => {
    const path = await programs({ docker: 'echo "no space left on device" >&2; exit 125' });
    vi.stubEnv('PATH', `${path}:${process.env['PATH']}`);
    onTestFinished(() => void vi.unstubAllEnvs());
    await expect(startEngine(await temporaryDirectory(), 0, { kind: 'docker' })).rejects.toThrow(
      /^DynamoDB Local in Docker did not start on port \d+: no space left on device$/,
    );
  });
});
