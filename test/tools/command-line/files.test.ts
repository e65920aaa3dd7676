import { mkdir, mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, onTestFinished, test } from 'vitest';
import { mirror, writeChanged } from '../../../lib/tools/command-line/files.ts';

const temporary = async (): Promise<string> => {
  const folder = await mkdtemp(join(tmpdir(), 'files-'));
  onTestFinished(() => rm(folder, { recursive: true }));
  return folder;
};

const identity = async (file: string) => {
  const { ino, mtimeMs } = await stat(file);
  return { ino, mtimeMs };
};

describe('build files', () => {
  test('stay unchanged where they have the content already', async () => {
    const file = join(await temporary(), 'deep/file.json');
    await writeChanged(file, 'one');
    const before = await identity(file);
    await writeChanged(file, 'one');
    expect(await identity(file)).toEqual(before);
  });

  test('are replaced as a whole, so that an open reader has the old content', async () => {
    const file = join(await temporary(), 'file.json');
    await writeChanged(file, 'one');
    const { ino } = await stat(file);
    await writeChanged(file, 'two');
    expect(await readFile(file, 'utf8')).toBe('two');
    expect((await stat(file)).ino).not.toBe(ino);
  });

  test('mirror a folder: replace changed files, remove others, and leave no draft', async () => {
    const [from, to] = [await temporary(), await temporary()];
    for (const folder of [from, to]) await mkdir(join(folder, 'a'));
    await writeFile(join(from, 'a/same'), 'same');
    await writeFile(join(from, 'a/changed'), 'new');
    await writeFile(join(to, 'a/same'), 'same');
    await writeFile(join(to, 'a/changed'), 'old');
    await writeFile(join(to, 'a/stale'), 'old');
    const before = await identity(join(to, 'a/same'));
    await mirror(from, to);
    expect((await readdir(join(to, 'a'))).toSorted()).toEqual(['changed', 'same']);
    expect(await readFile(join(to, 'a/changed'), 'utf8')).toBe('new');
    expect(await identity(join(to, 'a/same'))).toEqual(before);
  });

  test('mirror a folder, and leave the folder of another command', async () => {
    const [from, to] = [await temporary(), await temporary()];
    for (const folder of ['kept', 'kept-not']) {
      await mkdir(join(to, folder));
      await writeFile(join(to, folder, 'file'), 'old');
    }
    await mirror(from, to, 'kept');
    expect([await readdir(join(to, 'kept')), await readdir(join(to, 'kept-not'))]).toEqual([['file'], []]);
  });
});
