import { globSync } from 'node:fs';
import { basename } from 'node:path';
import { functionRows } from './functions.ts';
import { existsIn, type Mode } from './functions/function-row.ts';

/** A Lambda function: a file in functions/. */
export type FunctionFile = {
  /** Its name in lib/tools/template/functions.ts and its folder in dist/<mode>/: the file's name in camel case. */
  readonly name: string;
  readonly file: string;
  /** The first folder in functions/: its trigger. */
  readonly group: string;
};

const camelCase = (kebab: string) => kebab.replaceAll(/-([a-z])/g, (_, letter: string) => letter.toUpperCase());

/**
 * Returns the functions of a mode, by their files. lib/tools/template/functions.ts decides which mode has a function. A file
 * without a row there belongs to both modes, and the build rejects it.
 */
export const functionFiles = (mode: Mode): FunctionFile[] =>
  globSync('functions/**/*.ts')
    .toSorted()
    .map((file) => ({ file, name: camelCase(basename(file, '.ts')), group: file.split('/')[1] ?? '' }))
    .filter(({ name }) => {
      const row = functionRows[name];
      return row === undefined || existsIn(row, mode);
    });
