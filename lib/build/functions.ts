import { globSync } from 'node:fs';
import { basename } from 'node:path';
import { functionRows } from '../deploy/functions.ts';
import { existsIn, type Mode } from '../deploy/functions/function-row.ts';

/** A Lambda function of ours: a file under functions/. */
export type FunctionFile = {
  /** Its name in lib/deploy/functions.ts and its folder under dist/<mode>/: the file's name in camel case. */
  readonly name: string;
  readonly file: string;
  /** The first folder below functions/: its trigger. */
  readonly group: string;
};

const camelCase = (kebab: string) => kebab.replaceAll(/-([a-z])/g, (_, letter: string) => letter.toUpperCase());

/**
 * The functions of a mode, found by their files. lib/deploy/functions.ts knows which mode has a function; a file without a
 * row there belongs to both until the build refuses it.
 */
export const functionFiles = (mode: Mode): FunctionFile[] =>
  globSync('functions/**/*.ts')
    .toSorted()
    .map((file) => ({ file, name: camelCase(basename(file, '.ts')), group: file.split('/')[1] ?? '' }))
    .filter(({ name }) => {
      const row = functionRows[name];
      return row === undefined || existsIn(row, mode);
    });
