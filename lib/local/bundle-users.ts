import { rmSync, statSync } from 'node:fs';
import { mkdir, readdir, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { isAlive } from './alive.ts';

/*
 * Which process uses which bundles: an empty file `<folder>/users/<hash>.<pid>` for each. A process that died in the midst
 * leaves its file, which counts for nothing then.
 */

const usersIn = (folder: string): string => join(folder, 'users');

/** How many are kept though nobody uses them: a change and its reversal cost no build. */
const keptUnused = 3;

/** Marks bundles as used by this process until it ends. */
export const use = async (folder: string, hash: string): Promise<void> => {
  await mkdir(usersIn(folder), { recursive: true });
  const file = join(usersIn(folder), `${hash}.${process.pid}`);
  await writeFile(file, '');
  process.once('exit', () => rmSync(file, { force: true }));
};

const namesIn = async (folder: string): Promise<readonly string[]> => readdir(folder).catch(() => []);

const pidOf = (name: string): number => Number(/\d+$/.exec(name)?.[0] ?? 0);

/** The bundles that a live process uses. Forgets processes that have ended. */
const usedIn = async (folder: string): Promise<ReadonlySet<string>> => {
  const names = await namesIn(usersIn(folder));
  const ended = names.filter((name) => !isAlive(pidOf(name)));
  await Promise.all(ended.map((name) => rm(join(usersIn(folder), name), { force: true })));
  return new Set(names.filter((name) => !ended.includes(name)).map((name) => name.replace(/\.\d+$/, '')));
};

const ageOf = (file: string): number => statSync(file, { throwIfNoEntry: false })?.mtimeMs ?? 0;

/** Removes old bundles that nobody uses, and what a build left that died. */
export const pruneBundles = async (folder: string): Promise<void> => {
  const used = await usedIn(folder);
  const names = await namesIn(folder);
  // A draft is called `.<pid>-<random>`.
  const abandoned = names.filter((name) => name.startsWith('.') && !isAlive(Number(/^\.(\d+)-/.exec(name)?.[1] ?? 0)));
  const old = names
    .filter((name) => /^[\da-f]{20}$/.test(name) && !used.has(name))
    .toSorted((one, other) => ageOf(join(folder, other)) - ageOf(join(folder, one)))
    .slice(keptUnused);
  await Promise.all([...abandoned, ...old].map((name) => rm(join(folder, name), { recursive: true, force: true })));
};
