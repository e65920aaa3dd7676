import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { text } from 'node:stream/consumers';
import { describe, expect, it } from 'vitest';
import { isAlive } from './alive.ts';

/**
 * A replacement of npm: prints its arguments and the sibling processes of its group, then ends with 5, or hangs on
 * request. Linux gives a group of another session as much CPU time as all tests together.
 */
const npm = `
import { execFileSync } from 'node:child_process';
const rows = execFileSync('ps', ['-A', '-o', 'pid=,ppid=,pgid='], { encoding: 'utf8' }).trim().split('\\n');
const processes = rows.map((row) => row.trim().split(/ +/).map(Number));
const [, , ownGroup] = processes.find(([pid]) => pid === process.pid);
const loadProcesses = processes.filter(([pid, parent, group]) => parent === process.ppid && group === ownGroup && pid !== process.pid);
console.log(JSON.stringify({ args: process.argv.slice(2), loadProcesses: loadProcesses.map(([pid]) => pid) }));
if (process.argv.includes('hang')) setInterval(() => undefined, 1000);
else process.exitCode = 5;
`;

type Said = { readonly args: readonly string[]; readonly loadProcesses: readonly number[] };

describe('npm run test:busy', () => {
  it.each([
    ['ends them when the tests have failed', 'test/domain/money', 1],
    ['ends them on Ctrl-C', 'hang', 130],
  ])('runs eight busy loops in the group of the tests and %s', async (_, arg, code) => {
    const folder = mkdtempSync(join(tmpdir(), 'busy-'));
    try {
      writeFileSync(join(folder, 'npm.mjs'), npm);
      const child = spawn(process.execPath, [resolve('test/long/run.ts'), 'busy', arg], {
        env: { PATH: process.env['PATH'], TMPDIR: folder, npm_execpath: join(folder, 'npm.mjs') },
        stdio: ['ignore', 'pipe', 'ignore'],
      });
      const ended = once(child, 'close');
      child.stdout.once('data', () => arg === 'hang' && child.kill('SIGINT'));
      const { args, loadProcesses } = JSON.parse(await text(child.stdout)) as Said;
      expect(args).toEqual(['test', '--', arg]);
      expect(loadProcesses).toHaveLength(8);
      expect((await ended)[0]).toBe(code);
      expect(loadProcesses.filter(isAlive)).toEqual([]);
    } finally {
      rmSync(folder, { recursive: true });
    }
  });
});
