import { spawn } from 'node:child_process';
import { accessSync, constants } from 'node:fs';
import { symlink, writeFile } from 'node:fs/promises';
import { delimiter, join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { writeEnvironment } from '../../../lib/tools/local/env-file.ts';
import { temporaryDirectory } from '../local/support.ts';
import { type OwnStack, startOwnStack } from '../../support/own-stack.ts';
import { runsEveryCase, sample } from '../../support/samples.ts';
import { blocksOf, documents } from './documents.ts';

/*
 * The `sh` blocks of the README and of each guide run unchanged, in one shell and in order. A block that needs an AWS
 * account or a shop has the language `console` and does not run.
 */

const runnable = documents.filter((document) => blocksOf(document, 'sh').length > 0);

const isInstalled = (program: string): boolean =>
  (process.env['PATH'] ?? '').split(delimiter).some((folder) => {
    try {
      accessSync(join(folder, program), constants.X_OK);
      return true;
    } catch {
      return false;
    }
  });

/** Each document runs twice in sequence on the same stack. Where zsh is not installed, bash runs twice. */
const shells = (): readonly string[] => sample(['bash', isInstalled('zsh') ? 'zsh' : 'bash'], 2);

/** Stops at the first command that fails, also in a pipe. */
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

describe('shell blocks of README and guides', () => {
  // The blocks publish policies and replay deliveries, which would affect other test files.
  let stack: OwnStack;
  beforeAll(async () => {
    stack = await startOwnStack({
      schedules: false,
      streams: true,
      platforms: 'shopify,woocommerce',
      shops: ['woocommerce'],
      writeBack: 'woocommerce',
    });
    await writeEnvironment(stack.dataDir, stack.info);
  });
  afterAll(() => stack.close());

  it('exist in the README and in every guide about the API', () => {
    const files = runnable.map(({ file }) => file);
    for (const guide of [
      'getting-started',
      'call-the-api',
      'cli',
      'returns-and-money',
      'policies',
      'send-webhooks',
      'privacy',
    ])
      expect(files).toContain(`lib/tools/guides/${guide}.md`);
    expect(files).toContain('README.md');
  });

  it('can be pasted: they have no comments, no ellipses and no other shell language', () => {
    for (const document of documents) {
      for (const block of [...blocksOf(document, 'sh'), ...blocksOf(document, 'console')]) {
        expect(block).not.toMatch(/(^|\s)#\s/m);
        expect(block).not.toMatch(/…|\.\.\.|\$RANDOM/);
      }
      expect(document.text).not.toMatch(/^```(bash|zsh|shell)$/m);
    }
  });

  it('show the life of a return in at most 40 lines of the README', () => {
    const readme = documents.find(({ file }) => file === 'README.md');
    const life =
      (readme === undefined ? [] : blocksOf(readme, 'sh')).find((block) => block.includes('/complete')) ?? '';
    const steps = [
      '/orders/',
      '/returns ',
      'approve',
      'parcels',
      'receipts',
      'inspections',
      '/quotes',
      'refunds',
      'result',
    ];
    for (const step of steps) expect(life).toContain(step);
    expect(life.trim().split('\n').length).toBeLessThanOrEqual(40);
  });

  /** Documents for the first hour run every time. Translations have the blocks of their originals. */
  const first: ReadonlySet<string> = new Set(['README.md', 'lib/tools/guides/getting-started.md']);
  const inEveryRun = ({ file }: { readonly file: string }) => runsEveryCase() || first.has(file);
  const cases = runnable.filter(inEveryRun).map((document) => [document.file, document] as const);

  it.each(cases)('run in order: %s', async (_, document) => {
    const cwd = await temporaryDirectory();
    await symlink(stack.dataDir, join(cwd, '.local'));
    const file = join(cwd, 'blocks.sh');
    const blocks = blocksOf(document, 'sh');
    const marked = blocks.map((block, index) => `${block}\nprintf '\\nblock %s done\\n' ${index + 1}\n`);
    await writeFile(file, marked.join('\n'));
    for (const shell of shells()) {
      const { code, output } = await run(shell, file, cwd);
      expect({ shell, code, output }).toMatchObject({ code: 0 });
      expect(output.match(/^block \d+ done$/gm)).toHaveLength(blocks.length);
    }
  });
});
