import { globSync, readFileSync } from 'node:fs';
import { basename, dirname } from 'node:path';
import { gzipSync } from 'node:zlib';
import { deployedFiles } from './package/deployed.ts';

/** Bytes of a function: as Lambda reads it, and about as it travels. */
export type Weight = { readonly minified: number; readonly gzipped: number };

const sum = (numbers: readonly number[]): number => numbers.reduce((total, number) => total + number, 0);

/** What a function weighs as it is deployed, by the folder of its bundle. */
export const weightOf = (folder: string): Weight => {
  const files = deployedFiles(folder).map((file) => readFileSync(file));
  return {
    minified: sum(files.map(({ length }) => length)),
    gzipped: sum(files.map((file) => gzipSync(file, { level: 9 }).length)),
  };
};

/** What each function below a folder of bundles weighs, by its name. */
export const weigh = (folder: string): ReadonlyMap<string, Weight> =>
  new Map(
    globSync(`${folder}/*/index.mjs`)
      .toSorted()
      .map((file) => [basename(dirname(file)), weightOf(dirname(file))]),
  );
