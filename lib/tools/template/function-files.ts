import { allFunctionFiles, type FunctionFile } from './function-needs.ts';
import { existsIn, functionRows } from './functions.ts';
import type { Offer } from './offer.ts';

/**
 * Returns the functions of a deployment, by their files. lib/tools/template/functions.ts decides which it has. A file
 * without a row there belongs to every deployment, and the build rejects it.
 */
export const functionFiles = (offer: Offer): FunctionFile[] =>
  allFunctionFiles().filter(({ name }) => {
    const row = functionRows[name];
    return row === undefined || existsIn(name, row, offer);
  });
