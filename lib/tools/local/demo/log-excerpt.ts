import { openSync, readSync, closeSync, statSync } from 'node:fs';
import { join } from 'node:path';

const modes = ['connected', 'standalone'] as const;

const maxBytes = 16_384;
const maxLines = 6;
const maxLength = 400;

const fileOf = (dataDir: string, mode: string): string => join(dataDir, 'logs', `${mode}.log`);

const sizeOf = (file: string): number => statSync(file, { throwIfNoEntry: false })?.size ?? 0;

/** The end of a file after a position, at most `maxBytes`. */
const tail = (file: string, from: number): string => {
  const size = sizeOf(file);
  const begin = Math.max(from, size - maxBytes);
  if (size <= begin) return '';
  const handle = openSync(file, 'r');
  try {
    const bytes = Buffer.alloc(size - begin);
    readSync(handle, bytes, 0, bytes.length, begin);
    return bytes.toString();
  } finally {
    closeSync(handle);
  }
};

/** Whether a line reports a problem. Lines that Node prints itself have no level. */
const isProblem = (line: string): boolean =>
  line.startsWith('{') ? /"level":"(?:warn|error)"/.test(line) : /\b(?:failed|\w*Error)\b/.test(line);

const cut = (line: string): string => (line.length > maxLength ? `${line.slice(0, maxLength)}…` : line);

/** The lines that report a problem, or the last lines. */
const chosen = (text: string): readonly string[] => {
  const lines = text.split('\n').filter((line) => line.trim() !== '');
  const problems = lines.filter(isProblem);
  return (problems.length > 0 ? problems : lines).slice(-maxLines).map(cut);
};

/**
 * Marks where the functions' logs end now.
 *
 * @returns reads the lines that explain a failure since then, with the file of each
 */
export const markLogs = (dataDir: string): (() => readonly string[]) => {
  const marks = modes.map((mode) => ({ file: fileOf(dataDir, mode), from: sizeOf(fileOf(dataDir, mode)) }));
  return () =>
    marks.flatMap(({ file, from }) => {
      const lines = chosen(tail(file, from));
      return lines.length === 0 ? [] : [`${file}:`, ...lines.map((line) => `  ${line}`)];
    });
};
