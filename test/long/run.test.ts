import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { isAlive } from './alive.ts';
import { partsOf } from './parts.ts';

/*
 * The runner finds vitest in its working directory: here, a program of this test. The program records its settings.
 * On request, it hangs with a child process.
 */
const program = `
import { appendFileSync, existsSync, writeFileSync } from 'node:fs';
import { spawn } from 'node:child_process';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
appendFileSync('requests.txt', process.env.FUZZ_REQUESTS + '\\n');
if (existsSync('fail')) process.exit(3);
if (existsSync('hang') && process.env.FUZZ_REQUESTS !== '667') {
  writeFileSync(join(tmpdir(), 'left'), '');
  const stubborn = "process.on('SIGINT', () => undefined); console.log('up'); setInterval(() => undefined, 1000)";
  const other = spawn(process.execPath, ['-e', stubborn]);
  other.stdout.once('data', () => console.log('hanging ' + process.pid + ' ' + other.pid));
  setInterval(() => undefined, 1000);
}
`;

let folder = '';

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'long-'));
  mkdirSync(join(folder, 'node_modules/vitest'), { recursive: true });
  mkdirSync(join(folder, 'tmp'));
  writeFileSync(join(folder, 'node_modules/vitest/vitest.mjs'), program);
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

const start = (args: readonly string[], env: Readonly<Record<string, string>> = { FUZZ_REQUESTS: '2003' }) => {
  const child = spawn(process.execPath, [resolve('test/long/run.ts'), ...args], {
    cwd: folder,
    env: { PATH: process.env['PATH'], TMPDIR: join(folder, 'tmp'), ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let said = '';
  child.stderr.setEncoding('utf8').on('data', (text: string) => (said += text));
  const ended = once(child, 'close').then(([code]) => ({ code: code as number | null, said }));
  return { child, ended };
};

const run = async (...args: readonly string[]) => start(args).ended;
const startedParts = () => readFileSync(join(folder, 'requests.txt'), 'utf8').trim().split('\n');

/** Starts a run whose second part hangs, and interrupts it. */
const interrupt = async () => {
  writeFileSync(join(folder, 'hang'), '');
  const { child, ended } = start(['fuzz']);
  let out = '';
  const pids = await new Promise<readonly number[]>((done) => {
    child.stdout.setEncoding('utf8').on('data', (text: string) => {
      out += text;
      const found = /hanging (\d+) (\d+)\n/.exec(out);
      if (found !== null) done(found.slice(1).map(Number));
    });
  });
  child.kill('SIGINT');
  rmSync(join(folder, 'hang'));
  return { ...(await ended), pids };
};

describe('long run', () => {
  it('reports the expected time, runs its parts and prints a summary', async () => {
    const { code, said } = await run('fuzz');
    expect(code).toBe(0);
    expect(said).toMatch(/^fuzz: 3 parts\. Expected time: unknown/);
    expect(said).toMatch(/\[2\/3\] requests 2 of 3\. Expected time: /);
    expect(said).toContain('fuzz: 3 of 3 parts finished, 0 failed.\n3 passed, 0 failed\n');
    expect(startedParts()).toEqual(['667', '668', '668']);
  });

  it('expects the duration of the last run, or that of the committed table', async () => {
    expect(await start(['fuzz'], {}).ended).toMatchObject({ code: 0 });
    const { said } = await start(['fuzz'], {}).ended;
    expect(said).toMatch(/^fuzz: 4 parts\. Expected time: about \d+ s\.\nCtrl-C/);
  });

  it('continues after Ctrl-C, which ends all processes and removes all temporary files', async () => {
    const { code, said, pids } = await interrupt();
    expect(code).toBe(130);
    expect(said).toContain('fuzz: 1 of 3 parts finished, 0 failed. Interrupted: the same command continues the run.');
    expect(pids.map(isAlive)).toEqual([false, false]);
    expect(readdirSync(join(folder, 'tmp'))).toEqual([]);
    const again = await run('fuzz');
    expect([again.code, startedParts()]).toEqual([0, ['667', '668', '668', '668']]);
    expect(again.said).toMatch(/^fuzz: 3 parts; 1 are finished and are skipped/);
  });

  it('starts from the first part with --fresh, and after a complete run', async () => {
    await interrupt();
    await run('fuzz', '--fresh');
    expect(startedParts().slice(2)).toEqual(['667', '668', '668']);
    await run('fuzz');
    expect(startedParts().slice(5)).toEqual(['667', '668', '668']);
  });

  it('ends with 1 when a part fails, and runs that part again', async () => {
    writeFileSync(join(folder, 'fail'), '');
    const { code, said } = await run('fuzz');
    expect([code, startedParts().length]).toEqual([1, 3]);
    expect(said).toMatch(/^requests 1 of 3 +FAILED$/m);
    rmSync(join(folder, 'fail'));
    expect((await run('fuzz')).code).toBe(0);
  });

  it.each([
    [['walk'], /npm run <soak\|fuzz/],
    [['fuzz', 'more'], /fuzz has no argument more/],
    [['bench', 'nothing'], /unknown bench nothing/],
  ])('ends with 2 on %j', async (args, words) => {
    const { code, said } = await run(...args);
    expect(code).toBe(2);
    expect(said).toMatch(words);
  });
});

describe('parts of a long run', () => {
  const named = (...args: Parameters<typeof partsOf>) => {
    const found = partsOf(...args);
    return 'failure' in found ? found.failure : found.parts.map(({ name }) => name);
  };

  it('are soak tests by their names or paths', () => {
    expect(named('soak', { names: [], options: [] })).toContain('deliveries');
    expect(named('soak', { names: ['policies'], options: [] })).toEqual(['policies']);
    expect(named('soak', { names: ['write-back'], options: [] })).toEqual(['write-back']);
    expect(named('soak', { names: ['test/soak/medusa'], options: [] })).toContain('medusa-write-back');
    expect(named('soak', { names: ['test/soak/model.soak.ts'], options: [] })).toEqual(['model']);
    expect(named('soak', { names: ['nothing'], options: [] })).toMatch(/^unknown soak test nothing; there are /);
  });

  it('are benches by name or prefix, and one part for the help', () => {
    expect(named('bench', { names: ['token'], options: [] })).toContain('token-cold');
    expect(named('bench', { names: ['warm'], options: ['--rounds', '3'] })).toEqual(['warm']);
    expect(named('bench', { names: [], options: ['--help'] })).toEqual(['all']);
  });
});
