import { join, relative } from 'node:path';
import { buffer } from 'node:stream/consumers';
import { ZipFile } from 'yazl';
import { deployedFiles } from './deployed.ts';
import { writeChanged } from '../files.ts';
import { functionFiles, type Way } from '../functions.ts';

/** What the archive says of a file, whoever builds it and when: the same bundle gives the same zip. */
const attributes = { mtime: new Date(0), mode: 0o100644 };

const zip = async (root: string, files: readonly string[], into: string): Promise<void> => {
  const archive = new ZipFile();
  for (const file of files) archive.addFile(file, relative(root, file), attributes);
  archive.end();
  await writeChanged(into, await buffer(archive.outputStream));
};

/**
 * Writes <root>/dist/<way>/<function>.zip for every function of a way: what is deployed of it, under the path that its handler
 * names. Made here, as osls would walk the whole tree anew for each of them.
 */
export const zipBundles = async (way: Way, root: string): Promise<void> => {
  const folder = join(root, 'dist', way);
  await Promise.all(
    functionFiles(way).map(async ({ name }) =>
      zip(root, deployedFiles(join(folder, name)), join(folder, `${name}.zip`)),
    ),
  );
};
