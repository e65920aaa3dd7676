import { appendFileSync, cpSync, mkdirSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { parseObject } from '../../../lib/runtime/json.ts';

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

/** Keeps the logs of a stack as they are written: of one that ends with its process nobody could keep them later. */
export const keepLogsLive = (dataDir: string, scope = process.env[variable]): void => {
  if (scope === undefined) return;
  const folder = join(folderOf(scope), `stack-${crypto.randomUUID()}`);
  mkdirSync(folder);
  symlinkSync(folder, join(dataDir, 'logs'));
};

/** What this process has named already: the same few secrets come again with every test. */
const planted = new Set<string>();

/** Long enough to be met by no accident, in any of its forms. */
export const minPlanted = 16;

/** Names texts that nothing may ever emit, each long enough to be searched for. */
export const plant = (secrets: readonly string[], scope = process.env[variable]): void => {
  // By its place alone: an error shows its message.
  const short = secrets.findIndex((secret) => secret.length < minPlanted);
  if (short !== -1) throw new Error(`secret ${short} of these is too short to be searched for`);
  if (scope === undefined) return;
  mkdirSync(scope, { recursive: true });
  for (const secret of secrets) {
    const line = `${JSON.stringify(secret)}\n`;
    if (planted.has(scope + line)) continue;
    planted.add(scope + line);
    appendFileSync(join(scope, 'planted.jsonl'), line);
  }
};

/** Names the client secret that is in the text of a secret, where there is one. */
export const plantClientSecret = (text: string, scope?: string): void => {
  const fields = parseObject(text) ?? {};
  for (const secret of [fields['clientSecret'], fields['client_secret']])
    if (typeof secret === 'string' && secret !== '') plant([secret], scope);
};
