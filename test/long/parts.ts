import { globSync, readFileSync } from 'node:fs';
import { basename } from 'node:path';
import { benchNames } from '../bench/names.ts';

/** A part of a long run. It cannot be interrupted and continued. */
export type Part = {
  readonly name: string;
  /** The arguments of `node`. */
  readonly args: readonly string[];
  readonly env?: Readonly<Record<string, string>>;
};

/** The parts of a run, or the error in the arguments. */
export type Parts = { readonly parts: readonly Part[] } | { readonly failure: string };

export const kinds = ['soak', 'fuzz', 'drill', 'chaos', 'busy', 'bench', 'coverage'] as const;
export type Kind = (typeof kinds)[number];

/** The arguments after `--`. */
export type Selection = { readonly names: readonly string[]; readonly options: readonly string[] };

const benchFile = 'test/bench/bench.ts';
const vitest = 'node_modules/vitest/vitest.mjs';
const soakArgs = (file: string) => [vitest, 'run', '--config', 'test/soak/vitest.config.ts', file];

const soakFiles = (): readonly string[] =>
  globSync('test/soak/*.soak.ts')
    .map((file) => file.replaceAll('\\', '/'))
    .toSorted();

/** Runs all tests of properties with a new seed, and ten times the usual cases where a test states no number. */
const properties = (): Part => ({
  name: 'properties',
  args: [
    vitest,
    'run',
    ...globSync('test/**/*.test.ts').filter((file) => readFileSync(file, 'utf8').includes("from 'fast-check'")),
  ],
  env: {
    EVERY_CASE: '1',
    PROPERTY_RUNS: process.env['RUNS'] ?? '1000',
    SEED: process.env['SEED'] ?? String(Date.now() % 2 ** 31),
  },
});

const chaosFile = 'test/chaos/chaos.ts';

/** A minute of `npm run chaos`, with another seed in each run. */
const chaos: Part = { name: 'chaos', args: [chaosFile, '--seconds', '60'] };

/** Compares ratios of CPU time with stored ones. */
const guard: Part = { name: 'guard', args: [benchFile, 'guard'] };

const soakParts = ({ names, options }: Selection): Parts => {
  if (options.length > 0) return { failure: `soak has no option ${options[0]}` };
  const files = soakFiles().map((file): Part => ({ name: basename(file, '.soak.ts'), args: soakArgs(file) }));
  const parts = [...files, properties(), chaos, guard];
  // The whole name of a part is that of no longer one: `write-back` is not `medusa-write-back`.
  const isMeant = ({ name }: Part, text: string) =>
    parts.some((part) => part.name === text)
      ? name === text
      : `test/soak/${name}.soak.ts`.includes(text.replaceAll('\\', '/'));
  const unknown = names.find((text) => !parts.some((part) => isMeant(part, text)));
  if (unknown !== undefined)
    return { failure: `unknown soak test ${unknown}; there are ${parts.map(({ name }) => name).join(', ')}` };
  return { parts: parts.filter((part) => names.length === 0 || names.some((text) => isMeant(part, text))) };
};

const fuzzRequests = 100_000;
const fuzzParts = 4;

/** Four parts with different seeds, so that an interrupted run continues with the next. A fixed seed is one part. */
const fuzzPartsOf = ({ names, options }: Selection): Parts => {
  const extra = [...names, ...options][0];
  if (extra !== undefined)
    return { failure: `fuzz has no argument ${extra}; set FUZZ_REQUESTS and SEED in the environment` };
  const requests = Number(process.env['FUZZ_REQUESTS'] || fuzzRequests);
  if (!Number.isSafeInteger(requests) || requests < 1)
    return { failure: 'FUZZ_REQUESTS must be a whole number above 0' };
  const count = process.env['SEED'] === undefined ? Math.min(fuzzParts, Math.ceil(requests / 1_000)) : 1;
  const args = soakArgs('test/soak/generated.soak.ts');
  return {
    parts: Array.from({ length: count }, (_, index) => {
      const share = Math.floor((requests * (index + 1)) / count) - Math.floor((requests * index) / count);
      return { name: `requests ${index + 1} of ${count}`, args, env: { FUZZ_REQUESTS: String(share) } };
    }),
  };
};

const drillRuns = 10;

/** Restores the table several times. The soak has a short sample of it. */
const drillPartsOf = ({ names, options }: Selection): Parts => {
  const extra = [...names, ...options][0];
  if (extra !== undefined) return { failure: `drill has no argument ${extra}; set RUNS and SEED in the environment` };
  const runs = String(process.env['RUNS'] ?? drillRuns);
  return { parts: [{ name: 'restore', args: soakArgs('test/soak/restore.soak.ts'), env: { RUNS: runs } }] };
};

const chaosPartsOf = ({ names, options }: Selection): Parts =>
  names[0] === undefined
    ? { parts: [{ name: 'chaos', args: [chaosFile, ...options] }] }
    : { failure: `chaos has no argument ${names[0]}` };

/** Runs `npm test` while eight processes use all CPUs. */
const busyPartsOf = ({ names, options }: Selection): Parts => {
  const npm = process.env['npm_execpath'];
  if (npm === undefined) return { failure: 'this needs npm: npm run test:busy' };
  const given = [...names, ...options];
  const args = ['test/long/under-load.ts', npm, 'test', ...(given.length > 0 ? ['--', ...given] : [])];
  return { parts: [{ name: 'tests', args }] };
};

/** Selects benches by name or by prefix: `token` selects all benches of the token. */
const benchParts = ({ names, options }: Selection): Parts => {
  const begins = (bench: string, name: string) => bench === name || bench.startsWith(`${name}-`);
  const unknown = names.find((name) => !benchNames.some((bench) => begins(bench, name)));
  if (unknown !== undefined) return { failure: `unknown bench ${unknown}; there are ${benchNames.join(', ')}` };
  const meant = benchNames.filter((bench) => names.length === 0 || names.some((name) => begins(bench, name)));
  if (options.includes('--help')) return { parts: [{ name: 'all', args: [benchFile, ...meant, ...options] }] };
  return { parts: meant.map((bench) => ({ name: bench, args: [benchFile, bench, ...options] })) };
};

const shards = 3;

/** The folder of the shards' results until the merge. */
export const blobFolder = '.local/long/coverage';

const coverageParts = ({ names, options }: Selection): Parts => {
  // The thresholds apply to all shards together.
  const single = ['lines', 'branches'].map((name) => `--coverage.thresholds.${name}=0`);
  const parts = Array.from({ length: shards }, (_, index): Part => {
    const shard = `--shard=${index + 1}/${shards}`;
    const quiet = '--coverage.reporter=json';
    return {
      name: `shard ${index + 1} of ${shards}`,
      args: [vitest, 'run', '--coverage', '--passWithNoTests', shard, quiet, ...single, ...names, ...options],
      env: { VITEST_BLOB: `${blobFolder}/shard-${index + 1}.json` },
    };
  });
  return { parts: [...parts, { name: 'merge', args: [vitest, 'run', `--merge-reports=${blobFolder}`, '--coverage'] }] };
};

/** Returns the parts of a run, in their order. */
export const partsOf = (kind: Kind, selection: Selection): Parts => {
  switch (kind) {
    case 'soak':
      return soakParts(selection);
    case 'fuzz':
      return fuzzPartsOf(selection);
    case 'drill':
      return drillPartsOf(selection);
    case 'chaos':
      return chaosPartsOf(selection);
    case 'busy':
      return busyPartsOf(selection);
    case 'bench':
      return benchParts(selection);
    case 'coverage':
      return coverageParts(selection);
  }
};
