import { readdir, rm } from 'node:fs/promises';
import { join } from 'node:path';

/** What a data directory holds besides the state of a stack: bundles, and who runs in it. */
const notState = new Set(['bundles', 'lock.json']);

/** Removes the state that earlier stacks left in a data directory. */
export const emptyDataDir = async (dataDir: string): Promise<void> => {
  const names = await readdir(dataDir).catch((): string[] => []);
  const state = names.filter((name) => !notState.has(name));
  await Promise.all(state.map((name) => rm(join(dataDir, name), { recursive: true, force: true })));
};
