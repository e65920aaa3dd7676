import { appendFileSync, cpSync, mkdirSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { parseObject } from '../../../lib/runtime/json.ts';

/*
 * Records the output of our code during the tests, and the planted secrets, so that the end of the run can search it. A
 * scope is a folder. Outside a run of the tests there is no scope, and nothing is recorded.
 */

/** The source of an output. `log` and `outcome` come from functions in the real runtime. */
export type Kind = 'log' | 'outcome' | 'answer' | 'output' | 'error' | 'stack';

const variable = 'EMITTED_SCOPE';

/** Sets the scope of this process to a folder. */
export const openScope = (scope: string): void => {
  process.env[variable] = scope;
};

const folderOf = (scope: string): string => {
  const folder = join(scope, 'emitted');
  mkdirSync(folder, { recursive: true });
  return folder;
};

/** Records an output. */
export const record = (kind: Kind, text: string, scope = process.env[variable]): void => {
  if (scope !== undefined && text !== '') appendFileSync(join(folderOf(scope), `${kind}-${process.pid}`), `${text}\n`);
};

/** Records the logs of a stack whose data directory is removed. */
export const recordLogs = (dataDir: string, scope = process.env[variable]): void => {
  if (scope === undefined) return;
  cpSync(join(dataDir, 'logs'), join(folderOf(scope), `stack-${crypto.randomUUID()}`), { recursive: true });
};

/** Records the logs of a stack as they are written, for a stack that ends with its process. */
export const recordLogsLive = (dataDir: string, scope = process.env[variable]): void => {
  if (scope === undefined) return;
  const folder = join(folderOf(scope), `stack-${crypto.randomUUID()}`);
  mkdirSync(folder);
  symlinkSync(folder, join(dataDir, 'logs'));
};

/** The secrets that this process has planted already: every test plants the same few. */
const planted = new Set<string>();

/** The minimum length of a secret. No form of a secret of this length appears by accident. */
export const minPlanted = 16;

/** Plants texts that no output may contain. Each must be long enough for the search. */
export const plant = (secrets: readonly string[], scope = process.env[variable]): void => {
  // Names its index only: an error shows its message.
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

/** Plants the client secret in the text of a secret, where there is one. */
export const plantClientSecret = (text: string, scope?: string): void => {
  const fields = parseObject(text) ?? {};
  for (const secret of [fields['clientSecret'], fields['client_secret']])
    if (typeof secret === 'string' && secret !== '') plant([secret], scope);
};
