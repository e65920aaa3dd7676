import { globSync, readFileSync } from 'node:fs';
import { basename, dirname } from 'node:path';
import { gzipSync } from 'node:zlib';

/** Bytes of a function: as Lambda reads it, and about as it travels. */
export type Weight = { readonly minified: number; readonly gzipped: number };

/** What a file weighs. */
export const weightOf = (file: string): Weight => {
  const source = readFileSync(file);
  return { minified: source.length, gzipped: gzipSync(source, { level: 9 }).length };
};

/** What each function below a folder of bundles weighs, by its name. */
export const weigh = (folder: string): ReadonlyMap<string, Weight> =>
  new Map(
    globSync(`${folder}/*/index.mjs`)
      .toSorted()
      .map((file) => [basename(dirname(file)), weightOf(file)]),
  );
