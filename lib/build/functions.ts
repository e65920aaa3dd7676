import { globSync } from 'node:fs';
import { basename } from 'node:path';

/** A Lambda function of ours: a file under functions/. */
export type FunctionFile = {
  /** Its key in serverless.yml and its folder under dist/<way>/: the file's name in camel case. */
  readonly name: string;
  readonly file: string;
  /** The first folder below functions/: its trigger. */
  readonly group: string;
};

export const ways = ['connected', 'standalone'] as const;
export type Way = (typeof ways)[number];

const camelCase = (kebab: string) => kebab.replaceAll(/-([a-z])/g, (_, letter: string) => letter.toUpperCase());

/** Functions that one way alone has, by their names: the other would have nothing for them to do. */
const onlyIn: Readonly<Record<string, Way>> = {
  activatePolicies: 'standalone',
  anchorChains: 'standalone',
  applyRetention: 'standalone',
  refreshToken: 'connected',
  runJob: 'standalone',
  publishEvents: 'standalone',
  repairEvents: 'standalone',
  deliverEvents: 'standalone',
  wakeEndpoints: 'standalone',
  countReturns: 'standalone',
  recountReturns: 'standalone',
};

/** The functions of a way, found by their files. */
export const functionFiles = (way: Way): FunctionFile[] =>
  globSync('functions/**/*.ts')
    .toSorted()
    .map((file) => ({ file, name: camelCase(basename(file, '.ts')), group: file.split('/')[1] ?? '' }))
    .filter(({ name }) => (onlyIn[name] ?? way) === way);
