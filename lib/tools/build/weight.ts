import { globSync, readFileSync } from 'node:fs';
import { basename, dirname } from 'node:path';
import { gzipSync } from 'node:zlib';
import { httpParserFile } from './slim/replaced.ts';

/** Returns the deployed files of a function's folder: its bundle, and the files that the bundle reads. */
export const deployedFiles = (folder: string): readonly string[] =>
  globSync(['index.mjs', httpParserFile].map((name) => `${folder}/${name}`)).toSorted();

/** The bytes of a function: minified as Lambda reads it, and gzipped approximately as it is transferred. */
export type Weight = { readonly minified: number; readonly gzipped: number };

const sum = (numbers: readonly number[]): number => numbers.reduce((total, number) => total + number, 0);

/** Returns the size of a deployed function, by the folder of its bundle. */
export const weightOf = (folder: string): Weight => {
  const files = deployedFiles(folder).map((file) => readFileSync(file));
  return {
    minified: sum(files.map(({ length }) => length)),
    gzipped: sum(files.map((file) => gzipSync(file, { level: 9 }).length)),
  };
};

/** Returns the size of each function below a folder of bundles, by name. */
export const weigh = (folder: string): ReadonlyMap<string, Weight> =>
  new Map(
    globSync(`${folder}/*/index.mjs`)
      .toSorted()
      .map((file) => [basename(dirname(file)), weightOf(dirname(file))]),
  );
