import { globSync } from 'node:fs';
import { basename, dirname, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { suggestion } from '../../../runtime/nearest.ts';
import { fail, ok, type Result } from '../../../runtime/result.ts';
import { adaptersFolder, type Offer } from '../offer.ts';
import { type AnyAdapter, offeredEntries } from './derive-contract.ts';

/** An adapter, and the deployment that it makes. */
export type AdapterBuild = { readonly adapter: AnyAdapter; readonly offer: Offer };

/** Returns the names of the adapters: a folder each in lib/adapters. */
const adapterNames = (): readonly string[] =>
  globSync('lib/adapters/*/adapter.ts')
    .map((file) => basename(dirname(file)))
    .toSorted();

/** @throws {Error} for an adapter that does not run or does not fit the contract */
const buildOf = async (name: string): Promise<AdapterBuild> => {
  const { adapter } = (await import(pathToFileURL(resolve(`lib/adapters/${name}/adapter.ts`)).href)) as {
    readonly adapter: AnyAdapter;
  };
  if (adapter.name !== name) throw new Error(`The adapter has the name ${adapter.name}, and the folder ${name}.`);
  const { title, parameters } = adapter;
  const entries = offeredEntries(adapter);
  return {
    adapter,
    offer: { mode: 'connected', folder: `${adaptersFolder}/${name}`, entries, adapter: { name, title, parameters } },
  };
};

/**
 * Reads an adapter by its name.
 *
 * @returns the error in a sentence for a name without a folder, and for an adapter that does not fit the contract
 */
export const readAdapter = async (name: string): Promise<Result<AdapterBuild, string>> => {
  const names = adapterNames();
  if (!names.includes(name))
    return fail(`unknown adapter "${name}".${suggestion(name, names) || ` There are ${names.join(', ')}.`}`);
  try {
    return ok(await buildOf(name));
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    return fail(`lib/adapters/${name} does not run. See npm run types. ${reason}`);
  }
};
