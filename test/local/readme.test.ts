import { spawn } from 'node:child_process';
import { accessSync, constants, readFileSync } from 'node:fs';
import { symlink, writeFile } from 'node:fs/promises';
import { delimiter, join } from 'node:path';
import { beforeAll, describe, expect, it } from 'vitest';
import { writeEnvironment } from '../../lib/local/env-file.ts';
import { sharedStack } from '../support/own-stack.ts';
import { sample } from '../support/samples.ts';
import { temporaryDirectory } from './support.ts';

/*
 * The README's shell blocks, as they stand, in one shell and in their order. Those that need another machine or a minute
 * are marked `console` and are only read.
 */

const stack = await sharedStack();
const readme = readFileSync('README.md', 'utf8');
const blocksOf = (language: string): readonly string[] =>
  Array.from(readme.matchAll(new RegExp(`^\`\`\`${language}\\n(.*?)^\`\`\`$`, 'gms')), ([, block = '']) => block);

const runnable = blocksOf('sh');
const shown = blocksOf('console');

const isInstalled = (program: string): boolean =>
  (process.env['PATH'] ?? '').split(delimiter).some((folder) => {
    try {
      accessSync(join(folder, program), constants.X_OK);
      return true;
    } catch {
      return false;
    }
  });

/** One after the other on the same stack. Where zsh is not installed, bash runs twice. `npm test` runs the first alone. */
const shells = (): readonly string[] => sample(['bash', isInstalled('zsh') ? 'zsh' : 'bash'], 2);

/** Ends at the first command that fails, in a pipe too, and says which commands ran. */
const run = async (shell: string, file: string, cwd: string): Promise<{ code: number | null; output: string }> => {
  const options = shell === 'zsh' ? ['-f', '-e', '-o', 'pipefail'] : ['-e', '-o', 'pipefail'];
  const child = spawn(shell, [...options, file], { cwd, stdio: ['ignore', 'pipe', 'pipe'] });
  let output = '';
  for (const stream of [child.stdout, child.stderr])
    stream.setEncoding('utf8').on('data', (text: string) => (output += text));
  const code = await new Promise<number | null>((resolve, reject) =>
    child.once('error', reject).once('close', resolve),
  );
  return { code, output };
};

describe('the shell blocks of the README', () => {
  beforeAll(() => writeEnvironment(stack.dataDir, stack.info));

  it('are as many as they were counted', () => {
    expect(runnable).toHaveLength(11);
    expect(shown).toHaveLength(8);
  });

  it('can be pasted: no comments, no ellipses, and none in another shell language', () => {
    for (const block of [...runnable, ...shown]) {
      expect(block).not.toMatch(/(^|\s)#\s/m);
      expect(block).not.toMatch(/…|\.\.\.|\$RANDOM|_ID\b/);
    }
    expect(readme).not.toMatch(/^```(bash|zsh|shell)$/m);
  });

  it('show a life in at most 40 lines', () => {
    const life = runnable.find((block) => block.includes('/complete')) ?? '';
    const paths = [
      '/orders/',
      '/returns ',
      'approve',
      'parcels',
      'receipts',
      'inspections',
      '/quotes',
      'refunds',
      'result',
      'complete',
    ];
    for (const path of paths) expect(life).toContain(path);
    expect(life.trim().split('\n').length).toBeLessThanOrEqual(40);
  });

  it('run in order in each shell', async () => {
    const cwd = await temporaryDirectory();
    await symlink(stack.dataDir, join(cwd, '.local'));
    const file = join(cwd, 'blocks.sh');
    const marked = runnable.map((block, index) => `${block}\nprintf '\\nblock %s done\\n' ${index + 1}\n`);
    await writeFile(file, marked.join('\n'));
    for (const shell of shells()) {
      const { code, output } = await run(shell, file, cwd);
      expect({ shell, code, output }).toMatchObject({ code: 0 });
      expect(output.match(/^block \d+ done$/gm)).toHaveLength(runnable.length);
      expect(output).toMatch(/^completed$/m);
    }
  });
});
