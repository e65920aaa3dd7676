import { globSync } from 'node:fs';

/** The files of a function's folder that are deployed: its bundle, and what that reads. */
export const deployedFiles = (folder: string): readonly string[] =>
  globSync(['index.mjs', '*.wasm'].map((name) => `${folder}/${name}`)).toSorted();
