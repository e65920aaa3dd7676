import { basename, dirname } from 'node:path';
import { globSync } from 'node:fs';
import type { Mode } from '../../lib/tools/template/functions/function-row.ts';

/** A handler to measure: the export `handler` of a bundle. */
export type Candidate = {
  readonly name: string;
  readonly file: string;
  /** Additional environment variables. */
  readonly environment?: Readonly<Record<string, string>>;
};

/** Returns a function of ours, as deployed. */
export const ours = (mode: Mode, operation: string): Candidate => ({
  name: 'ours',
  file: `dist/${mode}/${operation}/index.mjs`,
});

/** The folder of the alternatives' bundles, and the sources by their names there. */
export const alternativeBundles = 'dist/bench/alternatives';
export const alternativeEntries = (): Readonly<Record<string, string>> =>
  Object.fromEntries(
    globSync('test/bench/alternatives/*/{*-return,list-items}.ts').map((file) => [
      `${basename(dirname(file))}/${basename(file, '.ts')}/index`,
      file,
    ]),
  );

/** Returns an operation with other packages. `place` is a file of test/bench/alternatives. */
export const alternative = (name: string, place: string): Candidate => ({
  name,
  file: `${alternativeBundles}/${place}/index.mjs`,
});

/** The folder of the bundles that the build of our functions makes from other sources, and these by their names. */
export const slimBundles = 'dist/bench/slim';
export const slimEntries: Readonly<Record<string, string>> = {
  'bare-item/get-return/index': 'test/bench/alternatives/bare-item/get-return.ts',
  'bare-item/approve-return/index': 'test/bench/alternatives/bare-item/approve-return.ts',
  'one-platform/process/index': 'test/bench/cold/one-platform/process.ts',
  'one-platform/receive-webhook/index': 'test/bench/cold/one-platform/receive-webhook.ts',
};

/** Returns a candidate that is bundled like our functions. */
export const slimAlternative = (name: string, place: string): Candidate => ({
  name,
  file: `${slimBundles}/${place}/index.mjs`,
});

/** The floor of `getReturn` in connected mode: only undici. */
export const bareRequest: Candidate = alternative('bare', 'bare-request/get-return');

/** The least that undici takes for the call of `getReturn`. */
export const bareDispatch: Candidate = alternative('dispatch', 'bare-dispatch/get-return');

/** `getReturn` of the connected mode as commonly written today, each with other packages. */
export const connectedPeers: readonly Candidate[] = [
  'simple-oauth2-axios',
  'openid-client-fetch',
  'oauth4webapi-undici',
].map((name) => alternative(name, `${name}/get-return`));

/** The packages whose versions belong to a result of the connected mode. */
export const connectedPackages = [
  'undici',
  '@middy/core',
  '@middy/secrets-manager',
  'simple-oauth2',
  'axios',
  '@aws-lambda-powertools/parameters',
  'openid-client',
  'oauth4webapi',
];
