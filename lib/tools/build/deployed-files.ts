import { globSync } from 'node:fs';
import { httpParserFile } from './slim/replaced.ts';

/** Returns the deployed files of a function's folder: its bundle, and the files that the bundle reads. */
export const deployedFiles = (folder: string): readonly string[] =>
  globSync(['index.mjs', httpParserFile].map((name) => `${folder}/${name}`)).toSorted();
