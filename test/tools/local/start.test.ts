import { type ChildProcess, execFile, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { readdir, readFile, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { describe, expect, onTestFinished, test } from 'vitest';
import { startIdentityProvider } from '../../../lib/tools/local/emulators/identity-provider.ts';
import { integrationClient, openIdentityState } from '../../../lib/tools/local/emulators/identity-state.ts';
import { startExampleService } from '../../../lib/tools/local/example-services.ts';
import { isAlive } from '../../../lib/tools/local/json-file.ts';
import type { LockOwner } from '../../../lib/tools/local/lock.ts';
import type { StackInfo } from '../../../lib/tools/local/stack-info.ts';
import { inSoak } from '../../support/samples.ts';
import { temporaryDirectory } from './support.ts';
import { compileCache } from '../../support/bundles.ts';

const readJson = async <Content>(file: string) => JSON.parse(await readFile(file, 'utf8')) as Content;

/** Runs npm start as a shell does, and resolves once it has printed the text. */
const startByNpm = async (dataDir: string, printed: RegExp) => {
  const child = spawn('npm', ['start', '--silent', '--', '--data-dir', dataDir], {
    stdio: ['ignore', 'pipe', 'pipe'],
    env: { ...process.env, NODE_COMPILE_CACHE: compileCache() },
  });
  onTestFinished(() => void child.kill('SIGTERM'));
  let output = '';
  await new Promise<void>((resolve, reject) => {
    child.once('exit', () => reject(new Error(output)));
    for (const stream of [child.stdout, child.stderr])
      stream.setEncoding('utf8').on('data', (text: string) => {
        output += text;
        if (printed.test(output)) resolve();
      });
  });
  return { child, output };
};

/** Ends npm: the stack that it started ends in order. */
const endNpm = async (child: ChildProcess, dataDir: string, signal: NodeJS.Signals): Promise<void> => {
  const { pid } = await readJson<LockOwner>(join(dataDir, 'lock.json'));
  const ended = once(child, 'exit');
  child.kill(signal);
  await ended;
  await expect.poll(() => isAlive(pid)).toBe(false);
  const left = await readdir(dataDir);
  for (const name of ['stack.json', 'env.sh', 'authorization', 'lock.json']) expect(left).not.toContain(name);
};

describe('npm start', () => {
  test('prints the next steps, and ends its stack on SIGTERM', async () => {
    const dataDir = join(await temporaryDirectory(), 'my data');
    const { child, output } = await startByNpm(dataDir, /Ctrl-C/);
    expect(output).toMatch(/^All 8 steps done in \d+\.\d s\.$/m);
    const [next = ''] = /^ {2}source .*\n {2}api .*$/m.exec(output) ?? [];
    expect(next).toContain(`source '${dataDir}/env.sh'`);
    expect(spawnSync('bash', ['-c', next], { encoding: 'utf8' }).stdout).toBe('approved\n');
    expect(await readFile(join(dataDir, '.gitignore'), 'utf8')).toBe('*\n');
    expect(output.trim().split('\n').length).toBeLessThanOrEqual(30);
    const { clients } = await readJson<StackInfo>(join(dataDir, 'stack.json'));
    for (const { clientSecret } of clients) expect(output).not.toContain(clientSecret);
    expect((await stat(join(dataDir, 'env.sh'))).mode & 0o777).toBe(0o600);

    const { pid } = await readJson<LockOwner>(join(dataDir, 'lock.json'));
    const second = spawnSync(process.execPath, ['lib/tools/local/start.ts', '--data-dir', dataDir], {
      encoding: 'utf8',
    });
    expect(second.status).toBe(1);
    expect(second.stderr).toMatch(
      new RegExp(`already running in ${dataDir} \\(pid ${pid}\\) since \\d\\d:\\d\\d\\. Use --data-dir`),
    );
    await endNpm(child, dataDir, 'SIGTERM');
  });

  test.each(inSoak('ends its stack on SIGKILL during the demo'))('%s', async () => {
    const dataDir = await temporaryDirectory();
    const { child } = await startByNpm(dataDir, /^ *1\. /m);
    expect(await readdir(dataDir)).toEqual(expect.arrayContaining(['stack.json', 'env.sh', 'lock.json']));
    await endNpm(child, dataDir, 'SIGKILL');
  });

  test.each(inSoak('takes a return through the adapter and its example service, and exits with code 0'))(
    '%s',
    async () => {
      const dataDir = await temporaryDirectory();
      const args = ['lib/tools/local/start.ts', '--once', '--adapter', 'devolucoes', '--data-dir', dataDir];
      // It rejects for another code.
      const { stdout, stderr } = await promisify(execFile)(process.execPath, args);
      expect(stderr).toBe('');
      expect(stdout).toContain(`Returns in ${dataDir}, the adapter devolucoes:`);
      expect(stdout).toMatch(/^ {2}3\. .* the service got one request$/m);
      expect(stdout).toMatch(/^ {2}6\. Receive it.* received$/m);
      expect(stdout).toMatch(/^ {2}8\. .* 501 operation_not_offered$/m);
      expect(stdout).toMatch(/^All 8 steps done/m);
      expect(await readdir(dataDir)).not.toContain('stack.json');
    },
  );

  describe.each(inSoak('with a service of the user'))('%s', () => {
    /** Starts a service with a return, and its identity provider. `npm start` in front of both takes a secret. */
    const startService = async () => {
      const dataDir = await temporaryDirectory();
      const state = await openIdentityState(join(dataDir, 'identity-provider.json'));
      const identity = await startIdentityProvider(state, 0);
      const service = await startExampleService('devolucoes', { port: 0, issuer: identity.issuer });
      onTestFinished(async () => void (await Promise.all([identity.close(), service.close()])));
      const { codigo } = service.books.create(
        { pedido: 'PED-1', itens: [{ itemPedido: '1', quantidade: 1, motivo: 'TAMANHO_PEQUENO' }] },
        undefined,
      );
      const client = state.clients.find(({ clientId }) => clientId === integrationClient);
      const secret = join(dataDir, 'client.json');
      const access = ['--service', service.url, '--auth', identity.issuer, '--secret', secret, '--return', `${codigo}`];
      const data = join(dataDir, 'data');
      const args = ['--once', '--adapter', 'devolucoes', '--data-dir', data, ...access];
      const startInFront = async (clientSecret: string) => {
        await writeFile(secret, JSON.stringify({ clientId: integrationClient, clientSecret }));
        return promisify(execFile)(process.execPath, ['lib/tools/local/start.ts', ...args]);
      };
      return { startInFront, clientSecret: client?.clientSecret ?? '', secretsFile: join(data, 'secrets.json') };
    };

    test('reads a return of it', async () => {
      const { startInFront, clientSecret, secretsFile } = await startService();
      const { stdout, stderr } = await startInFront(clientSecret);
      expect(stderr).toBe('');
      expect(stdout).toMatch(/^ {2}2\. Reach the service.* ok$/m);
      expect(stdout).toMatch(/^ {2}3\. Read the return .* requested$/m);
      expect(await readFile(secretsFile, 'utf8')).not.toContain(clientSecret);
    });

    test('prints why it cannot be reached, and does not repeat, also after a start that reached it', async () => {
      const { startInFront, clientSecret } = await startService();
      await startInFront(clientSecret);
      const failed: unknown = await startInFront(`${clientSecret}x`).catch((error: unknown) => error);
      expect(failed).toMatchObject({ code: 1, stderr: expect.stringContaining('Cause: answered 503') as string });
      expect(failed).toMatchObject({ stderr: expect.stringContaining('"kind":"ClientRejected"') as string });
      expect(failed).toMatchObject({
        stderr: expect.stringMatching(/\nRun npm run conform -- --adapter devolucoes .*\n$/) as string,
      });
    });
  });

  test('exits with code 2 and the nearest name for a wrong option', () => {
    const { status, stderr } = spawnSync(process.execPath, ['lib/tools/local/start.ts', '--frsh'], {
      encoding: 'utf8',
    });
    expect({ status, stderr }).toEqual({
      status: 2,
      stderr: 'Unknown option --frsh. Did you mean --fresh?\nSee npm start -- --help.\n',
    });
  });
});
