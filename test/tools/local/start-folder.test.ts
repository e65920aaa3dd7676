import { readdir, readFile, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { emptyDataDir, makeDataDir } from '../../../lib/tools/local/data-dir.ts';
import { shellWord } from '../../../lib/tools/local/env-file.ts';
import { temporaryDirectory } from './support.ts';

describe('data directory of a stack', () => {
  it('is for its owner only, and keeps itself out of git', async () => {
    const folder = join(await temporaryDirectory(), 'deep/data');
    makeDataDir(folder);
    expect((await stat(folder)).mode & 0o777).toBe(0o700);
    expect(await readFile(join(folder, '.gitignore'), 'utf8')).toBe('*\n');
  });

  it('keeps an ignore file that exists, also when it is emptied', async () => {
    const folder = await temporaryDirectory();
    await writeFile(join(folder, '.gitignore'), 'secrets.json\n');
    await writeFile(join(folder, 'secrets.json'), '{}');
    makeDataDir(folder);
    await emptyDataDir(folder);
    expect(await readdir(folder)).toEqual(['.gitignore']);
    expect(await readFile(join(folder, '.gitignore'), 'utf8')).toBe('secrets.json\n');
  });
});

describe('word of a shell', () => {
  it.each([
    ['.local/env.sh', '.local/env.sh'],
    ['my data/env.sh', "'my data/env.sh'"],
    ["it's $here/env.sh", `'it'\\''s $here/env.sh'`],
  ])('has quotes where it needs them: %s', (text, word) => {
    expect(shellWord(text)).toBe(word);
  });
});
