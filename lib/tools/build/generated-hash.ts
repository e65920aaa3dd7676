import { createHash } from 'node:crypto';
import { existsSync, globSync, readFileSync, writeFileSync } from 'node:fs';
import { relative } from 'node:path';
import { reachedFrom } from './import-graph.ts';

/** The generators are one of these modules or bundle them, with all that they import. */
const modules = ['lib/tools/build/build-all.ts', 'lib/console/main.tsx', 'lib/access/client/public.ts'];
/** The files that they read. */
const data = ['lib/**/*.{json,md,css,svg,yaml}', 'lib/console/**/*.{ts,tsx}', 'functions/**/*.ts', 'package-lock.json'];

/** Other commands that write this folder remove all files that are not theirs: so the hash is that of its content. */
const file = 'dist/contract/inputs.sha256';
/** The first and the last of the generated files. */
const generated = ['dist/contract/openapi.json', 'dist/contract/validators/approve.js', 'dist/lint/layers.json'];

/** Returns a hash of all sources from which `npm run generate` writes dist/. */
const hashInputs = (): string => {
  const hash = createHash('sha256').update(process.version);
  const imported = modules.flatMap((module) => Array.from(reachedFrom(module), (path) => relative('.', path)));
  for (const source of new Set([...imported, ...globSync(data)].toSorted()))
    if (existsSync(source)) hash.update(`\n${source}\n`).update(readFileSync(source));
  return hash.digest('hex');
};

/** Generates dist/ from lib/contract by `generate`, unless the generated files are current. */
export const generateStale = (generate: () => boolean): boolean => {
  const hash = hashInputs();
  if (generated.every((path) => existsSync(path)) && existsSync(file) && readFileSync(file, 'utf8') === hash)
    return true;
  if (!generate()) return false;
  writeFileSync(file, hash);
  return true;
};
