import { join, relative } from 'node:path';
import { buffer } from 'node:stream/consumers';
import { ZipFile } from 'yazl';
import { bundle, type Bundling } from './bundle.ts';
import { buildClient } from './client.ts';
import { removeOthers, writeChanged } from '../command-line/files.ts';
import { deployedFiles } from './weight.ts';
import { functionFiles } from '../template/function-files.ts';
import { adaptersFolder, clientFolder, type Offer, offers } from '../template/offer.ts';
import type { AdapterBuild } from '../template/adapters/read-adapter.ts';
import { writeAdapter, writeGenerated } from './generated.ts';
import { staleFiles, writeSourceFiles } from './operations/source-files.ts';

/** Constant file attributes, so that the same bundle gives the same zip. */
const attributes = { mtime: new Date(0), mode: 0o100644 };

const zip = async (root: string, files: readonly string[], into: string, level: number): Promise<void> => {
  const archive = new ZipFile();
  for (const file of files) archive.addFile(file, relative(root, file), { ...attributes, compressionLevel: level });
  archive.end();
  await writeChanged(into, await buffer(archive.outputStream));
};

/**
 * Writes <root>/dist/<folder>/<function>.zip for every function of an offer, which osls deploys. osls itself would read
 * the whole tree again for each zip.
 */
const zipBundles = async (offer: Offer, root: string): Promise<void> => {
  const folder = join(root, 'dist', offer.folder);
  // Only the zips in dist/ are deployed: others need little time instead of little space.
  const level = root === '.' ? 6 : 1;
  await Promise.all(
    functionFiles(offer).map(async ({ name }) =>
      zip(root, deployedFiles(join(folder, name)), join(folder, `${name}.zip`), level),
    ),
  );
};

/*
 * esbuild is written in Go and holds what it has read until its garbage collector runs. The collector runs only near this
 * limit. With the batches of `bundle`, esbuild takes less than 950 MB. Without limits it took 3.2 GB, and was no faster.
 */
process.env['GOGC'] ??= 'off';
process.env['GOMEMLIMIT'] ??= '850MiB';

const assertCurrent = async (): Promise<void> => {
  const [stale] = await staleFiles();
  if (stale !== undefined) throw new Error(`${stale} does not match lib/contract. Run \`npm run generate\`.`);
};

/** Bundles the functions of an offer, and reports the progress. */
const bundleOffer = async (offer: Offer, options: Bundling): Promise<void> =>
  bundle(offer, {
    ...options,
    onBatch: (count) => console.log(`${offer.folder}: ${count} functions bundled`),
  });

/**
 * Builds everything that is deployed into <root>/dist. The modes run one after the other, because their memory adds up.
 */
const buildInto = async (root: string, maps: boolean): Promise<void> => {
  await assertCurrent();
  await writeGenerated(join(root, 'dist'));
  const zips: Promise<void>[] = [];
  for (const offer of Object.values(offers)) {
    await bundleOffer(offer, { maps, root });
    zips.push(zipBundles(offer, root));
  }
  await Promise.all([...zips, buildClient(root, offers.standalone)]);
};

/** Builds the deployment of an adapter into <root>/dist, and removes what an earlier build of this adapter left. */
const buildAdapter = async (root: string, maps: boolean, adapterBuild: AdapterBuild): Promise<void> => {
  const { offer } = adapterBuild;
  await assertCurrent();
  await writeGenerated(join(root, 'dist'));
  await writeAdapter(join(root, 'dist'), offer);
  for (const folder of ['contract', 'deploy']) await removeOthers(join(root, 'dist', folder, offer.folder));
  await bundleOffer(offer, { maps, root, adapterBuild });
  await Promise.all([zipBundles(offer, root), buildClient(root, offer)]);
  await removeOthers(join(root, 'dist', offer.folder));
};

/** The folders of a build in dist/. Packaging, benches and stacks write the other folders. */
const generatedFolders = ['contract', 'deploy', 'lint'];
const folders = [...generatedFolders, 'client', ...Object.values(offers).map(({ folder }) => folder)];

/** Removes obsolete files of the whole contract. Those of adapters belong to their own builds. */
const removeObsolete = async (built: readonly string[]): Promise<void> => {
  for (const folder of built) await removeOthers(join('dist', folder), adaptersFolder);
};

/** Builds into dist/ file by file, then removes obsolete files: a reader finds every file at any time. */
const buildHere = async (maps: boolean): Promise<void> => {
  await buildInto('.', maps);
  await removeObsolete(folders);
};

/** Writes the files generated from lib/contract, and those of an adapter, into dist/. */
const generateHere = async (adapter: AdapterBuild | undefined): Promise<void> => {
  await writeGenerated('dist');
  await removeObsolete(generatedFolders);
  if (adapter !== undefined) await writeAdapter('dist', adapter.offer);
};

/** Builds only the client package of an offer into dist/. */
const buildClientHere = async (adapter: AdapterBuild | undefined): Promise<void> => {
  console.log('Writing the contract, about 10 s.');
  await generateHere(adapter);
  const offer = adapter?.offer ?? offers.standalone;
  console.log('Bundling the client, about 5 s.');
  await buildClient('.', offer);
  console.log(`${clientFolder(offer)} is written. Pack it: npm pack ./${clientFolder(offer)}`);
};

export type BuildOptions = {
  /** Builds only the files generated from lib/contract into dist/. */
  readonly contractOnly: boolean;
  /** Builds only the client package, and what it needs, into dist/. */
  readonly clientOnly: boolean;
  /** Also writes the committed files generated from lib/contract. */
  readonly sources: boolean;
  readonly maps: boolean;
  /** Builds the deployment of this adapter, instead of both modes; with `contractOnly`, its files besides the others. */
  readonly adapter: AdapterBuild | undefined;
  /** The folder of dist/. Absent for the working directory, whose earlier build is replaced. */
  readonly root: string | undefined;
};

/** Builds everything that is deployed. */
export const buildAll = async (options: BuildOptions): Promise<void> => {
  const { contractOnly, clientOnly, sources, maps, adapter, root } = options;
  if (sources) await writeSourceFiles();
  if (clientOnly) return buildClientHere(adapter);
  if (contractOnly) return generateHere(adapter);
  if (adapter !== undefined) return buildAdapter(root ?? '.', maps, adapter);
  return root === undefined ? buildHere(maps) : buildInto(root, maps);
};
