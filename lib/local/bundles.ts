import { existsSync } from 'node:fs';
import { mkdir, mkdtemp, rename, rm, utimes } from 'node:fs/promises';
import { join } from 'node:path';
import { mirror } from '../build/files.ts';
import { ways } from '../build/functions.ts';
import { packageWay } from '../build/package/package-way.ts';
import { runNode } from '../build/run-node.ts';
import { pruneBundles, use } from './bundle-users.ts';
import { hashSources } from './source-hash.ts';

/** Where bundles are kept: they belong to the sources here, whatever data directory a stack has. */
const bundlesFolder = '.local/bundles';

type BundleStep = 'bundle' | 'package';

export type BundlesOptions = {
  /**
   * Writes source maps beside the bundles.
   * @default false
   */
  readonly maps?: boolean;
  /**
   * Does a step of a build, and may report it. It is not called where the bundles are there already.
   * @default does it without a word
   */
  readonly step?: (step: BundleStep, work: () => Promise<void>) => Promise<void>;
};

export type Bundles = {
  /** Holds dist/, built and packaged. Nothing in it changes from now on. */
  readonly root: string;
  /** Whether they were built for this call. */
  readonly isNew: boolean;
};

const buildInto = async (root: string, { maps = false, step = (_, work) => work() }: BundlesOptions): Promise<void> => {
  await step('bundle', () => runNode(['lib/build/build.ts', '--root', root, ...(maps ? ['--source-maps'] : [])]));
  await step('package', async () => void (await Promise.all(ways.map((way) => packageWay(root, way)))));
};

/** Builds beside the entry and moves it there when it is complete. Another process may have been faster: its entry stays. */
const addEntry = async (hash: string, options: BundlesOptions): Promise<boolean> => {
  const draft = await mkdtemp(join(bundlesFolder, `.${process.pid}-`));
  try {
    await buildInto(draft, options);
    if (hashSources({ maps: options.maps ?? false }) !== hash) return false;
    await rename(draft, join(bundlesFolder, hash)).catch((error: unknown) => {
      if (!existsSync(join(bundlesFolder, hash))) throw error;
    });
    return true;
  } finally {
    await rm(draft, { recursive: true, force: true });
  }
};

/** A build ends with an error while its sources keep changing. */
const maxAttempts = 3;

/**
 * The bundles of the sources as they stand, both modes packaged: those that were kept, or new ones. They are kept as long
 * as this process runs.
 *
 * @throws {Error} with the last lines of a build that failed, or when sources change faster than they are built
 */
export const openBundles = async (options: BundlesOptions = {}): Promise<Bundles> => {
  await mkdir(bundlesFolder, { recursive: true, mode: 0o700 });
  for (let attempt = 0; attempt < maxAttempts; attempt += 1) {
    const hash = hashSources({ maps: options.maps ?? false });
    const root = join(bundlesFolder, hash);
    await use(bundlesFolder, hash);
    const isNew = !existsSync(root);
    if (isNew && !(await addEntry(hash, options))) continue;
    const now = new Date();
    await utimes(root, now, now);
    await pruneBundles(bundlesFolder);
    return { root, isNew };
  }
  throw new Error('the sources changed while they were bundled: start again when they are saved');
};

/**
 * The bundles as tests and benches read them: a copy in dist/, of which only the files that differ are replaced.
 *
 * @returns where the originals lie, which no other build touches
 */
export const buildAndPackage = async (): Promise<string> => {
  const { root } = await openBundles();
  const folders = ['contract', 'deploy', 'client', 'package', ...ways];
  for (const folder of folders) await mirror(join(root, 'dist', folder), join('dist', folder));
  return root;
};
