import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { readdir, readFile, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { isAlive } from '../../lib/local/alive.ts';
import type { Holder } from '../../lib/local/lock.ts';
import { openProgress } from '../../lib/local/progress.ts';
import { openRecorder } from '../../lib/local/recorder.ts';
import { runDemo, StepError } from '../../lib/local/demo.ts';
import { startStack, type Stack } from '../../lib/local/stack.ts';
import type { StackInfo } from '../../lib/local/stack-info.ts';
import { temporaryDirectory } from './support.ts';

const readJson = async <Content>(file: string) => JSON.parse(await readFile(file, 'utf8')) as Content;

/** npm start as a shell runs it, once the stack is up. */
const startByNpm = async (dataDir: string) => {
  const child = spawn('npm', ['start', '--silent', '--', '--data-dir', dataDir], { stdio: ['ignore', 'pipe', 'pipe'] });
  onTestFinished(() => void child.kill('SIGTERM'));
  let output = '';
  await new Promise<void>((resolve, reject) => {
    child.once('exit', () => reject(new Error(output)));
    for (const stream of [child.stdout, child.stderr])
      stream.setEncoding('utf8').on('data', (text: string) => {
        output += text;
        if (output.includes('Ctrl-C')) resolve();
      });
  });
  return { child, output };
};

test.each(['SIGTERM', 'SIGKILL'] as const)('a stack that npm started ends when npm is ended by %s', async (signal) => {
  const dataDir = await temporaryDirectory();
  const { child, output } = await startByNpm(dataDir);
  expect(output).toMatch(/^All 8 steps done in \d+\.\d s\.$/m);
  expect(output).toContain(`source ${dataDir}/env.sh`);
  expect(output.trim().split('\n').length).toBeLessThanOrEqual(30);
  const { clients } = await readJson<StackInfo>(join(dataDir, 'stack.json'));
  for (const { clientSecret } of clients) expect(output).not.toContain(clientSecret);
  expect((await stat(join(dataDir, 'env.sh'))).mode & 0o777).toBe(0o600);

  const { pid } = await readJson<Holder>(join(dataDir, 'lock.json'));
  const second = spawnSync(process.execPath, ['lib/local/start.ts', '--data-dir', dataDir], { encoding: 'utf8' });
  expect(second.status).toBe(1);
  expect(second.stderr).toMatch(
    new RegExp(`already running in ${dataDir}, pid ${pid}, since \\d\\d:\\d\\d\\. Use --data-dir`),
  );

  const ended = once(child, 'exit');
  child.kill(signal);
  await ended;
  await expect.poll(() => isAlive(pid), { timeout: 20_000 }).toBe(false);
  const left = await readdir(dataDir);
  for (const name of ['stack.json', 'env.sh', 'authorization', 'lock.json']) expect(left).not.toContain(name);
});

test('a wrong option ends with exit code 2 and the nearest name', () => {
  const { status, stderr } = spawnSync(process.execPath, ['lib/local/start.ts', '--frsh'], { encoding: 'utf8' });
  expect({ status, stderr }).toEqual({
    status: 2,
    stderr: 'Unknown option --frsh. Did you mean --fresh?\nSee npm start -- --help.\n',
  });
});

test('a failed step is named, with the lines of the log that explain it', async () => {
  const dataDir = await temporaryDirectory();
  const recorder = openRecorder();
  const stack: Stack = await startStack({ dataDir, onEvent: recorder.record });
  onTestFinished(() => stack.close());
  await stack.standalone.stop();
  let output = '';
  const progress = openProgress((text) => (output += text));
  const failed = await runDemo({ stack, recorder, progress, dataDir, verbose: false }).catch((error: unknown) => error);
  expect(failed).toBeInstanceOf(StepError);
  const { message, excerpt } = failed as StepError;
  expect(message).toBe('The step "2. Subscribe a webhook endpoint to approvals" failed');
  expect(excerpt.join('\n')).toMatch(/logs\/connected\.log:\n.*service not reached.*ECONNREFUSED/);
  expect(output).toMatch(/2\. Subscribe a webhook endpoint to approvals +\d+\.\d s {2}failed\n$/);
});
