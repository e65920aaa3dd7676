import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { text } from 'node:stream/consumers';
import { pathToFileURL } from 'node:url';
import { describe, expect, it } from 'vitest';

const module = pathToFileURL('lib/runtime/standard-output.ts').href;

/** Starts a program that writes lines, with its standard output in a pipe. */
const start = (program: string) =>
  spawn(process.execPath, ['--input-type=module', '--eval', `import { writeLine } from '${module}';\n${program}`], {
    stdio: ['ignore', 'pipe', 'pipe'],
  });

// The lines have up to three pages of a pipe, so that some are written in parts.
const lines = Array.from({ length: 300 }, (_, at) => `${at} ${'€ä🎁'.repeat(at * 5)}`);
const writeAll = `for (let at = 0; at < 300; at += 1) writeLine(at + ' ' + '€ä🎁'.repeat(at * 5));`;

describe('line to standard output', () => {
  it.each([
    ['a pipe', ''],
    // Node makes the pipe non-blocking as soon as code reads `process.stdout`.
    ['a non-blocking pipe', 'process.stdout;\n'],
  ])('is complete and in order once it is read: %s', async (_, before) => {
    const child = start(`${before}${writeAll}\nprocess.stderr.write('written');`);
    const complained = text(child.stderr);
    expect(await text(child.stdout)).toBe(`${lines.join('\n')}\n`);
    expect(await complained).toBe('written');
  });

  it('causes no failure where the reader is closed', async () => {
    const child = start(`${writeAll}\nprocess.exitCode = 7;`);
    child.stdout.destroy();
    expect(await once(child, 'exit')).toEqual([7, null]);
  });
});
