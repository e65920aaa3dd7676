import { mkdirSync, writeFileSync } from 'node:fs';
import { readdir, rm } from 'node:fs/promises';
import { join } from 'node:path';

const ignoreFile = '.gitignore';

/** The content of a data directory besides the state of a stack. */
const notState = new Set(['bundles', 'lock.json', ignoreFile]);

/**
 * Creates a data directory for its owner only. It holds secrets, so it keeps itself out of git, wherever it is. An
 * existing ignore file stays.
 */
export const makeDataDir = (dataDir: string): void => {
  mkdirSync(dataDir, { recursive: true, mode: 0o700 });
  try {
    writeFileSync(join(dataDir, ignoreFile), '*\n', { flag: 'wx' });
  } catch (error) {
    if (!(error instanceof Error && 'code' in error && error.code === 'EEXIST')) throw error;
  }
};

/** Removes the state of earlier stacks from a data directory. */
export const emptyDataDir = async (dataDir: string): Promise<void> => {
  const names = await readdir(dataDir).catch((): string[] => []);
  const state = names.filter((name) => !notState.has(name));
  await Promise.all(state.map((name) => rm(join(dataDir, name), { recursive: true, force: true })));
};
