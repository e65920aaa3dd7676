import { globSync, readFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { writeChanged } from '../command-line/files.ts';

/** The folder of terms that are too long for a parameter. */
export const termsFolder = 'lib/tools/deploy/terms';

/**
 * Reads every file of terms. One package serves every stage, so each bundle that reads terms contains all files.
 *
 * @returns the content of each file by its name
 * @throws Error with the file that is not JSON
 */
export const readTermsFiles = (folder: string): ReadonlyMap<string, unknown> =>
  new Map(
    globSync(join(folder, '*.json'))
      .toSorted()
      .map((file) => {
        try {
          return [basename(file), JSON.parse(readFileSync(file, 'utf8')) as unknown];
        } catch (error) {
          throw new Error(`${file} is not JSON: ${error instanceof Error ? error.message : 'it cannot be read'}`, {
            cause: error,
          });
        }
      }),
  );

/** Writes the file in `dist` from which the configuration imports the terms. */
export const writeTermsFiles = (dist: string, files = readTermsFiles(termsFolder)): Promise<void> =>
  writeChanged(join(dist, 'contract/terms-files.json'), `${JSON.stringify(Object.fromEntries(files), null, 2)}\n`);
