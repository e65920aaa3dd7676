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

/** Names the kind of an item: a key up to its first `#`. The texts of declarations are a kind of personal data. */
const kind = /^(?:PII#withdrawal%3A|[^#]*#)/;

/** Returns the kind of a key; the ids after it are not recorded. */
const kindOf = (key: string): string => kind.exec(key)?.[0] ?? key;

/**
 * Records each kind of call once. Several processes may write to one file: a line is written synchronously, before the
 * response to the call.
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

/** Reads the recorded calls; empty when there were none. */
export const readCallRecord = async (file: string): Promise<readonly Call[]> => {
  const text = await readFile(file, 'utf8').catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return '';
    throw error;
  });
  return [...new Set(text.trim().split('\n'))].filter(Boolean).map((line) => JSON.parse(line) as Call);
};
