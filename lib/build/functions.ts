import { globSync } from 'node:fs';
import { basename, dirname } from 'node:path';

/** A Lambda function of ours: a file under functions/. */
export type FunctionFile = {
  /** Its key in serverless.yml and its folder under dist/<way>/: the file's name in camel case. */
  readonly name: string;
  readonly file: string;
  /** The folder under functions/ that it stands in. */
  readonly group: string;
};

export const ways = ['connected', 'standalone'] as const;
export type Way = (typeof ways)[number];

const camelCase = (kebab: string) => kebab.replaceAll(/-([a-z])/g, (_, letter: string) => letter.toUpperCase());

/** Every function of the bundle, found by its file. */
export const functionFiles = (): FunctionFile[] =>
  globSync('functions/*/*.ts')
    .toSorted()
    .map((file) => ({ file, name: camelCase(basename(file, '.ts')), group: basename(dirname(file)) }));
