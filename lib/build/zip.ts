import { createWriteStream } from 'node:fs';
import { pipeline } from 'node:stream/promises';
import { ZipFile } from 'yazl';
import { deployedFiles } from './deployed.ts';
import { functionFiles, type Way } from './functions.ts';

/** What the archive says of a file, whoever builds it and when: the same bundle gives the same zip. */
const attributes = { mtime: new Date(0), mode: 0o100644 };

const zip = async (files: readonly string[], into: string): Promise<void> => {
  const archive = new ZipFile();
  for (const file of files) archive.addFile(file, file, attributes);
  archive.end();
  await pipeline(archive.outputStream, createWriteStream(into));
};

/**
 * Writes dist/<way>/<function>.zip for every function of a way: what is deployed of it, under the path that its handler
 * names. Made here, as osls would walk the whole tree anew for each of them.
 */
export const zipBundles = async (way: Way): Promise<void> => {
  await Promise.all(
    functionFiles(way).map(async ({ name }) => zip(deployedFiles(`dist/${way}/${name}`), `dist/${way}/${name}.zip`)),
  );
};
