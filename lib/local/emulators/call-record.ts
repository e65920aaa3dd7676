import { appendFileSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import type { Access } from './policy.ts';

/** A call of AWS by a function. */
export type Call = Access & {
  readonly mode: string;
  /** The function's key in serverless.yml. */
  readonly function: string;
  readonly permitted: boolean;
};

/** Keys are kept up to their first `#`, which says what they are of; the ids behind it are nobody's business here. */
const kindOf = (key: string): string => key.slice(0, key.indexOf('#') + 1) || key;

/**
 * Writes down which calls there were, each kind of call once. Several processes may write to one file: a line is
 * written at once, before the call is answered.
 */
export const openCallRecord = (file: string): ((call: Call) => void) => {
  const known = new Set<string>();
  return ({ partitions, ...call }) => {
    const line = JSON.stringify({ ...call, ...(partitions && { partitions: partitions.map(kindOf) }) });
    if (known.has(line)) return;
    known.add(line);
    appendFileSync(file, `${line}\n`, { mode: 0o600 });
  };
};

/** What was written down, or nothing when there were no calls. */
export const readCallRecord = async (file: string): Promise<readonly Call[]> => {
  const text = await readFile(file, 'utf8').catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return '';
    throw error;
  });
  return [...new Set(text.trim().split('\n'))].filter(Boolean).map((line) => JSON.parse(line) as Call);
};
