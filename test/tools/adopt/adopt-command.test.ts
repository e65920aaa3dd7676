import { execFile } from 'node:child_process';
import { copyFile, mkdir, mkdtemp, readdir, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { beforeAll, afterAll, describe, expect, it } from 'vitest';
import { acme } from './descriptions.ts';
import { inSoak } from '../../support/samples.ts';

/** A folder with the part of the project that the command needs. */
let root = '';

beforeAll(async () => {
  root = await mkdtemp(join(tmpdir(), 'adopt-'));
  await mkdir(join(root, 'lib/adapters'), { recursive: true });
  await symlink(resolve('node_modules'), join(root, 'node_modules'));
  await copyFile(resolve('.oxfmtrc.json'), join(root, '.oxfmtrc.json'));
  await writeFile(join(root, 'acme.json'), JSON.stringify(acme));
  await writeFile(join(root, 'wrong.yaml'), 'swagger: 1.2');
});
afterAll(() => rm(root, { recursive: true }));

const run = (...words: readonly string[]) =>
  new Promise<{ readonly code: number; readonly stdout: string; readonly stderr: string }>((done) => {
    execFile(
      process.execPath,
      [resolve('lib/tools/adopt/adopt-command.ts'), ...words],
      { cwd: root },
      (error, stdout, stderr) => {
        done({ code: typeof error?.code === 'number' ? error.code : 0, stdout, stderr });
      },
    );
  });

describe('npm run adopt', () => {
  it('writes the folder, and prints the proposals and three steps', async () => {
    const { code, stdout } = await run('acme.json', '--name', 'acme-2');
    expect(code).toBe(0);
    expect(stdout).toContain('  getReturn    high    GET /rmas/{rmaNumber}\n');
    expect(stdout).toMatch(/\n3\. [^\n]*\n {3}npm run conform [^\n]* --return <id>\n {3}[^\n]*\n$/);
    const folder = join(root, 'lib/adapters/acme-2');
    expect((await readdir(folder)).toSorted()).toEqual(['README.md', 'adapter.ts', 'service.ts']);
    expect(await readFile(join(folder, 'adapter.ts'), 'utf8')).toContain(
      "OPEN: todo('our status for OPEN', 'requested'),",
    );
  });

  it.each(inSoak('changes no folder that exists'))('%s', async () => {
    await mkdir(join(root, 'lib/adapters/taken'));
    await symlink('nowhere', join(root, 'lib/adapters/dangling'));
    for (const name of ['taken', 'dangling']) {
      const { code, stderr } = await run('acme.json', '--name', name);
      expect(code).toBe(2);
      expect(stderr).toContain(`lib/adapters/${name} exists, and is not changed.`);
    }
    expect(await readdir(join(root, 'lib/adapters/taken'))).toEqual([]);
  });

  it.each(['../up', ...inSoak('own', 'Acme', '1a', 'a/b', 'a'.repeat(41), 'a\n')])(
    'ends with 2 for the name %j',
    async (name) => {
      const { code, stderr } = await run('acme.json', '--name', name);
      expect(code).toBe(2);
      expect(stderr).toContain('--name');
    },
  );

  it.each([
    { words: ['acme.json'], text: 'Name the adapter: --name <name>.' },
    ...inSoak(
      { words: ['acme.json', '--name', 'acme', '--resource', '/{id}'], text: '--resource must be a word of a path' },
      { words: ['--name', 'acme'], text: 'Name one file with the description.' },
      { words: ['acme.json', 'wrong.yaml', '--name', 'acme'], text: 'Name one file with the description.' },
    ),
  ])('ends with 2 for $words', async ({ words, text }) => {
    const { code, stderr } = await run(...words);
    expect(code).toBe(2);
    expect(stderr).toContain(text);
  });

  it.each([
    { file: 'wrong.yaml', text: 'wrong.yaml at #/swagger: version_unknown. Accepted: ' },
    ...inSoak(
      { file: 'missing.yaml', text: 'missing.yaml: file_unreadable. Accepted: ' },
      { file: 'lib', text: 'lib: file_unreadable. Accepted: ' },
    ),
  ])('ends with 1 for $file, and writes nothing', async ({ file, text }) => {
    const { code, stderr } = await run(file, '--name', 'none');
    expect(code).toBe(1);
    expect(stderr).toContain(text);
    expect(await readdir(join(root, 'lib/adapters'))).not.toContain('none');
  });
});
