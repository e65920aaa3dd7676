import { existsSync } from 'node:fs';
import { copyFile, mkdir, mkdtemp, rename, rm, symlink, utimes } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { mirror } from '../build/files.ts';
import { ways, type Way } from '../build/functions.ts';
import { pruneBundles, use } from './bundle-users.ts';
import { runNode } from './run-node.ts';
import { hashSources } from './source-hash.ts';

/** Where bundles are kept: they belong to the sources here, whatever data directory a stack has. */
const bundlesFolder = '.local/bundles';

export type BundleStep = 'bundle' | 'package';

export type BundlesOptions = {
  /**
   * Writes source maps beside the bundles.
   * @default false
   */
  readonly maps?: boolean;
  /** Is told before each step of a build, and not at all where the bundles are there already. */
  readonly onStep?: (step: BundleStep) => void;
};

export type Bundles = {
  /** Holds dist/, built and packaged. Nothing in it changes from now on. */
  readonly root: string;
  /** Whether they were built for this call. */
  readonly isNew: boolean;
};

/**
 * Packages a mode as a deployment would. osls works in .serverless/ of its service's folder whatever folder it is told to
 * leave its result in, so each mode has a folder of its own, with a link to what is packaged.
 */
const packageWay = async (root: string, way: Way): Promise<void> => {
  const service = join(root, 'service', way);
  await mkdir(service, { recursive: true });
  await copyFile('serverless.yml', join(service, 'serverless.yml'));
  await symlink(resolve(root, 'dist'), join(service, 'dist'));
  const result = resolve(root, 'dist/package', way);
  await runNode([resolve('node_modules/.bin/osls'), 'package', '--package', result, '--param', `way=${way}`], service);
};

const buildInto = async (root: string, { maps = false, onStep }: BundlesOptions): Promise<void> => {
  onStep?.('bundle');
  await runNode(['lib/build/build.ts', '--root', root, ...(maps ? ['--source-maps'] : [])]);
  onStep?.('package');
  await Promise.all(ways.map((way) => packageWay(root, way)));
  await rm(join(root, 'service'), { recursive: true });
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

/** Whoever saves files all the time is told, not built for. */
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
  const folders = ['contract', 'gateway', 'roles', 'client', 'package', ...ways];
  for (const folder of folders) await mirror(join(root, 'dist', folder), join('dist', folder));
  return root;
};
