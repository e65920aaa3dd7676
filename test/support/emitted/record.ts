import { appendFileSync, cpSync, mkdirSync } from 'node:fs';
import { join } from 'node:path';

/*
 * What the tests make our code emit, kept for the whole run so that its end can search it, and the secrets to search it
 * for. A scope is a folder; outside of a run of the tests there is none, and nothing is kept.
 */

/** Where something was emitted: `log` and `outcome` are of functions in the real runtime. */
export type Kind = 'log' | 'outcome' | 'answer' | 'output' | 'error' | 'stack';

const variable = 'EMITTED_SCOPE';

/** Makes a folder the scope of this process. */
export const openScope = (scope: string): void => {
  process.env[variable] = scope;
};

const folderOf = (scope: string): string => {
  const folder = join(scope, 'emitted');
  mkdirSync(folder, { recursive: true });
  return folder;
};

/** Keeps what was emitted. */
export const keep = (kind: Kind, text: string, scope = process.env[variable]): void => {
  if (scope !== undefined && text !== '') appendFileSync(join(folderOf(scope), `${kind}-${process.pid}`), `${text}\n`);
};

/** Keeps the logs of a stack that goes away with its data directory. */
export const keepLogs = (dataDir: string, scope = process.env[variable]): void => {
  if (scope === undefined) return;
  cpSync(join(dataDir, 'logs'), join(folderOf(scope), `stack-${crypto.randomUUID()}`), { recursive: true });
};

/** Names texts that nothing may ever emit. */
export const plant = (secrets: readonly string[], scope = process.env[variable]): void => {
  if (scope === undefined) return;
  mkdirSync(scope, { recursive: true });
  appendFileSync(join(scope, 'planted.jsonl'), secrets.map((secret) => `${JSON.stringify(secret)}\n`).join(''));
};
