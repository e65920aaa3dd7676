import { globSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { basename } from 'node:path';

/*
 * The configuration imports dist/contract/terms-files.json, and a fresh clone has no dist/. Each npm script brings it up to
 * date before our modules load. The build checks the files (terms-files.ts); one that is no JSON is left to it.
 */

const target = 'dist/contract/terms-files.json';

/** @param {string} file */
const read = (file) => {
  try {
    return readFileSync(file, 'utf8');
  } catch {
    return undefined;
  }
};

/** @param {string} file */
const parse = (file) => {
  try {
    return [[basename(file), JSON.parse(readFileSync(file, 'utf8'))]];
  } catch {
    return [];
  }
};

const files = globSync('lib/deploy/terms/*.json').toSorted();
const text = `${JSON.stringify(Object.fromEntries(files.flatMap(parse)), null, 2)}\n`;
if (read(target) !== text) {
  mkdirSync('dist/contract', { recursive: true });
  writeFileSync(target, text);
}
