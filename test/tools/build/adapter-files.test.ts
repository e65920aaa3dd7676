import { existsSync } from 'node:fs';
import { mkdir, rm, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { runNode } from '../../../lib/tools/command-line/run-node.ts';

/** Writes a file into dist/, as an earlier build would have. */
const leave = async (file: string): Promise<string> => {
  await mkdir(dirname(file), { recursive: true });
  await writeFile(file, '{}');
  onTestFinished(() => rm(dirname(file), { recursive: true, force: true }));
  return file;
};

describe('npm run generate', () => {
  it('removes obsolete files of the whole contract, and none of an adapter', async () => {
    const ofAdapter = await Promise.all(
      ['contract', 'deploy'].map((folder) => leave(join('dist', folder, 'adapters/kept-by-generate/openapi.json'))),
    );
    const obsolete = await leave('dist/contract/removed-by-generate/openapi.json');
    await runNode(['lib/tools/build/build.ts', '--contract']);
    expect(ofAdapter.filter((file) => !existsSync(file))).toEqual([]);
    expect(existsSync(obsolete)).toBe(false);
  });
});
