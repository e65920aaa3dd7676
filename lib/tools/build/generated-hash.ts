import { createHash } from 'node:crypto';
import { existsSync, globSync, readFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { reachedFrom } from './import-graph.ts';

/** The generators are one of these modules or bundle them, with all that they import. */
const modules = ['lib/tools/build/build-all.ts', 'lib/console/main.tsx', 'lib/access/client/public.ts'];
/** The files that they read. */
const data = ['lib/**/*.{json,md,css,svg,yaml}', 'lib/console/**/*.{ts,tsx}', 'functions/**/*.ts', 'package-lock.json'];

/** The file of the hash, in the folder of the generated files. */
export const hashFile = 'contract/inputs.sha256';
/** The first and the last of the generated files. */
const generated = ['contract/openapi.json', 'contract/validators/approve.js', 'lint/layers.json'];

/** Returns a hash of all sources from which `npm run generate` writes dist/. The generator stores it as its last file. */
export const hashInputs = (): string => {
  const hash = createHash('sha256').update(process.version);
  const imported = modules.flatMap((module) => Array.from(reachedFrom(module), (path) => relative('.', path)));
  for (const source of new Set([...imported, ...globSync(data)].toSorted()))
    if (existsSync(source)) hash.update(`\n${source}\n`).update(readFileSync(source));
  return hash.digest('hex');
};

/** Returns whether the generated files in a folder are those of the current sources. */
export const areGeneratedCurrent = (folder: string): boolean =>
  [...generated, hashFile].every((path) => existsSync(join(folder, path))) &&
  readFileSync(join(folder, hashFile), 'utf8') === hashInputs();
