import { globSync } from 'node:fs';
import { httpParserFile } from '../slim/replaced.ts';

/** The files of a function's folder that are deployed: its bundle, and what that reads. */
export const deployedFiles = (folder: string): readonly string[] =>
  globSync(['index.mjs', httpParserFile].map((name) => `${folder}/${name}`)).toSorted();
