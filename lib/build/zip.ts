import { createWriteStream } from 'node:fs';
import { pipeline } from 'node:stream/promises';
import { ZipFile } from 'yazl';
import { functionFiles, type Way } from './functions.ts';

/** What the archive says of a file, whoever builds it and when: the same bundle gives the same zip. */
const attributes = { mtime: new Date(0), mode: 0o100644 };

const zip = async (file: string, into: string): Promise<void> => {
  const archive = new ZipFile();
  archive.addFile(file, file, attributes);
  archive.end();
  await pipeline(archive.outputStream, createWriteStream(into));
};

/**
 * Writes dist/<way>/<function>.zip for every function of a way: its bundle, under the path that its handler names. Made
 * here, as osls would walk the whole tree anew for each of them.
 */
export const zipBundles = async (way: Way): Promise<void> => {
  await Promise.all(
    functionFiles(way).map(async ({ name }) => zip(`dist/${way}/${name}/index.mjs`, `dist/${way}/${name}.zip`)),
  );
};
