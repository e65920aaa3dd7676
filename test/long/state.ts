import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { isObject, parseJson } from '../../lib/runtime/json.ts';
import type { Kind } from './parts.ts';

/*
 * Stores the progress of long runs in .local/long: one file per kind, and the durations of finished parts.
 * A run continues only with the same sources and settings.
 */

const folder = '.local/long';

/** The parts that passed, with their seconds. */
export type Finished = Readonly<Record<string, number>>;

const stateFile = (kind: Kind) => `${folder}/${kind}.json`;
const secondsFile = `${folder}/seconds.json`;

const readObject = (file: string): Record<string, unknown> => {
  try {
    const value = parseJson(readFileSync(file, 'utf8'));
    return isObject(value) ? { ...value } : {};
  } catch {
    return {};
  }
};

const numbersIn = (value: unknown): Finished =>
  Object.fromEntries(
    Object.entries(isObject(value) ? value : {}).filter(
      (entry): entry is [string, number] => typeof entry[1] === 'number',
    ),
  );

/** Writes a file completely or not at all. */
const write = (file: string, value: unknown): void => {
  mkdirSync(folder, { recursive: true });
  writeFileSync(`${file}.new`, `${JSON.stringify(value, null, 2)}\n`);
  renameSync(`${file}.new`, file);
};

const git = (...args: readonly string[]): string => {
  try {
    return execFileSync('git', args, {
      encoding: 'utf8',
      maxBuffer: 256 * 1024 * 1024,
      stdio: ['ignore', 'pipe', 'ignore'],
    });
  } catch {
    // Without git, only the settings identify a run.
    return '';
  }
};

/** Returns the digest of an untracked file; nothing for a link to a folder or a deleted file. */
const contentOf = (file: string): Buffer => {
  try {
    return readFileSync(file);
  } catch {
    return Buffer.alloc(0);
  }
};

/** Returns a key of the current sources, committed or not, and of the settings of a run. */
export const keyOf = (settings: unknown): string => {
  const hash = createHash('sha256');
  hash.update(git('rev-parse', 'HEAD')).update(git('diff', 'HEAD'));
  for (const file of git('ls-files', '--others', '--exclude-standard').split('\n').filter(Boolean)) {
    hash.update(file).update(contentOf(file));
  }
  hash.update(JSON.stringify(settings));
  return hash.digest('hex').slice(0, 16);
};

/** Returns the parts that earlier runs with this key have finished. */
export const readFinished = (kind: Kind, key: string): Finished => {
  const { key: known, finished } = readObject(stateFile(kind));
  return known === key ? numbersIn(finished) : {};
};

export const writeFinished = (kind: Kind, key: string, finished: Finished): void =>
  write(stateFile(kind), { key, finished });

export const readSeconds = (kind: Kind): Finished => numbersIn(readObject(secondsFile)[kind]);

export const writeSeconds = (kind: Kind, part: string, seconds: number): void => {
  const all = readObject(secondsFile);
  write(secondsFile, { ...all, [kind]: { ...numbersIn(all[kind]), [part]: seconds } });
};
