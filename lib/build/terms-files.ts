import { globSync, readFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { defaultTerms } from '../policies/terms/default-terms.ts';
import { givenTerms } from '../policies/terms/given-terms.ts';
import { statutoryRules } from '../policies/law/statutory-rules.ts';

/** Where a deployment has the terms that are too long for a parameter. */
export const termsFolder = 'lib/deploy/terms';

/**
 * Reads every file of terms, and checks each by the code of the cold start.
 *
 * @returns the content of each file by its name: every bundle holds all of them, because one package is for every stage
 * @throws Error with the file, and the JSON Pointer of the first field that cannot be right
 */
export const readTermsFiles = (folder = termsFolder): Readonly<Record<string, unknown>> =>
  Object.fromEntries(
    globSync(join(folder, '*.json'))
      .toSorted()
      .map((file) => {
        const text = readFileSync(file, 'utf8');
        try {
          givenTerms({ terms: defaultTerms, statutoryRules }, text);
        } catch (error) {
          throw new Error(`${file}: ${error instanceof Error ? error.message : 'wrong'}`, { cause: error });
        }
        return [basename(file), JSON.parse(text) as unknown];
      }),
  );
