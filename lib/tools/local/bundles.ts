import { createHash } from 'node:crypto';
import { existsSync, globSync, readFileSync, rmSync, statSync } from 'node:fs';
import { mkdir, mkdtemp, readdir, rename, rm, utimes, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { mirror } from '../command-line/files.ts';
import { adaptersFolder, type Offer, offers } from '../template/offer.ts';
import { packageOffer } from '../template/package/package-offer.ts';
import { runNode } from '../command-line/run-node.ts';
import { isAlive } from './json-file.ts';

/*
 * The users of bundles: an empty file `<folder>/users/<hash>.<pid>` for each process. The file of a crashed process
 * does not count.
 */

const usersIn = (folder: string): string => join(folder, 'users');

/** The number of unused bundles that are stored: a change and its reversal need no build. */
const maxUnusedBundles = 3;

/** Marks bundles as used by this process until it ends. */
const use = async (folder: string, hash: string): Promise<void> => {
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

/** Removes old unused bundles, and the rest of builds that died. */
export const pruneBundles = async (folder: string): Promise<void> => {
  const used = await usedIn(folder);
  const names = await namesIn(folder);
  // A draft is called `.<pid>-<random>`.
  const abandoned = names.filter((name) => name.startsWith('.') && !isAlive(Number(/^\.(\d+)-/.exec(name)?.[1] ?? 0)));
  const old = names
    .filter((name) => /^[\da-f]{20}$/.test(name) && !used.has(name))
    .toSorted((a, b) => ageOf(join(folder, b)) - ageOf(join(folder, a)))
    .slice(maxUnusedBundles);
  await Promise.all([...abandoned, ...old].map((name) => rm(join(folder, name), { recursive: true, force: true })));
};

/**
 * All files that bundling and packaging read. No bundle contains the local stack or the stages, which
 * test/tools/local/source-hash.test.ts checks.
 */
const sources = [
  'functions/**/*.ts',
  'lib/**/*.{ts,tsx,js,css,svg,mjs,json}',
  'serverless.yml',
  'package.json',
  'package-lock.json',
  // The packages that npm has installed: they differ from the lock file until `npm ci` has run.
  'node_modules/.package-lock.json',
  'tsconfig.json',
];
const excludedSources = ['lib/tools/local/**', 'lib/tools/deploy/stages/**', 'lib/tools/doctor/cli.ts'];

/** Returns the files that determine the bundles, in a fixed order. */
export const sourceFiles = (): readonly string[] => globSync(sources, { exclude: excludedSources }).toSorted();

/**
 * Returns a hash of the bundles of the sources in the working directory.
 *
 * @param options further options of bundling, which change the hash
 */
const hashSources = (options: Readonly<Record<string, unknown>> = {}): string => {
  const hash = createHash('sha256');
  // Bundling reads the list of Node's modules, so the version of Node matters.
  hash.update(JSON.stringify([process.version, options]));
  for (const file of sourceFiles()) {
    const content = readFileSync(file);
    hash.update(`\n${file} ${content.length}\n`).update(content);
  }
  return hash.digest('hex').slice(0, 20);
};

/** The folder of bundles. They belong to these sources, independent of a stack's data directory. */
const bundlesFolder = '.local/bundles';

type BundleStep = 'bundle' | 'package';

export type BundlesOptions = {
  /**
   * Writes source maps next to the bundles.
   * @default false
   */
  readonly maps?: boolean;
  /**
   * The deployment of an adapter.
   * @default both modes
   */
  readonly offer?: Offer | undefined;
  /**
   * Performs a step of a build, and may report it. It is not called when the bundles exist.
   * @default performs it silently
   */
  readonly step?: (step: BundleStep, work: (progress: () => void) => Promise<void>) => Promise<void>;
};

export type Bundles = {
  /** The folder of dist/, built and packaged. Its content does not change. */
  readonly root: string;
  /** Whether this call has built them. */
  readonly isNew: boolean;
};

const silently: NonNullable<BundlesOptions['step']> = (_, work) => work(() => undefined);

const buildInto = async (root: string, { maps = false, offer, step = silently }: BundlesOptions): Promise<void> => {
  const ofAdapter = offer?.adapter === undefined ? [] : ['--adapter', offer.adapter.name];
  const args = ['lib/tools/build/build.ts', '--root', root, ...ofAdapter, ...(maps ? ['--source-maps'] : [])];
  const packaged = offer === undefined ? Object.values(offers) : [offer];
  await step('bundle', (progress) => runNode(args, undefined, progress));
  await step('package', async (progress) => {
    await Promise.all(packaged.map((packagedOffer) => packageOffer(root, packagedOffer).then(progress)));
  });
};

/** The options that change the bundles. */
const hashed = ({ maps = false, offer }: BundlesOptions) => ({
  maps,
  ...(offer?.adapter !== undefined && { adapter: offer.adapter.name }),
});

/** Builds in a draft folder and renames it when it is complete. The entry of a faster process stays. */
const addEntry = async (hash: string, options: BundlesOptions): Promise<boolean> => {
  const draft = await mkdtemp(join(bundlesFolder, `.${process.pid}-`));
  try {
    await buildInto(draft, options);
    if (hashSources(hashed(options)) !== hash) return false;
    await rename(draft, join(bundlesFolder, hash)).catch((error: unknown) => {
      if (!existsSync(join(bundlesFolder, hash))) throw error;
    });
    return true;
  } finally {
    await rm(draft, { recursive: true, force: true });
  }
};

/** A build fails while its sources change. */
const maxAttempts = 3;

/**
 * Returns the bundles of the current sources, with both modes packaged: stored or new ones. They are stored as long as
 * this process runs.
 *
 * @throws {Error} with the last lines of a failed build, or when sources change faster than they are built
 */
export const openBundles = async (options: BundlesOptions = {}): Promise<Bundles> => {
  await mkdir(bundlesFolder, { recursive: true, mode: 0o700 });
  for (let attempt = 0; attempt < maxAttempts; attempt += 1) {
    const hash = hashSources(hashed(options));
    const root = join(bundlesFolder, hash);
    await use(bundlesFolder, hash);
    const isNew = !existsSync(root);
    if (isNew && !(await addEntry(hash, options))) continue;
    const now = new Date();
    await utimes(root, now, now);
    await pruneBundles(bundlesFolder);
    return { root, isNew };
  }
  throw new Error('the sources changed during the build: start again after saving');
};

/**
 * Copies the bundles to dist/ for tests and benches. It replaces only files that differ, and leaves those of adapters.
 *
 * @returns the folder of the originals, which no other build changes
 */
export const buildAndPackage = async (): Promise<string> => {
  const { root } = await openBundles();
  const folders = ['contract', 'deploy', 'client', 'package', ...Object.values(offers).map(({ folder }) => folder)];
  for (const folder of folders) await mirror(join(root, 'dist', folder), join('dist', folder), adaptersFolder);
  return root;
};
