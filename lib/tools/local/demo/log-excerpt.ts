import { readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';

const modes = ['connected', 'standalone'] as const;

const maxBytes = 16_384;
const maxLines = 6;
const maxLength = 400;

const sizeOf = (file: string): number => statSync(file, { throwIfNoEntry: false })?.size ?? 0;

/** Returns the end of a file after a position, at most `maxBytes`. */
const tail = (file: string, from: number): string => {
  const size = sizeOf(file);
  return size <= from
    ? ''
    : readFileSync(file)
        .subarray(Math.max(from, size - maxBytes))
        .toString();
};

/** Whether a line reports a problem. Lines that Node prints itself have no level. */
const isProblem = (line: string): boolean =>
  line.startsWith('{') ? /"level":"(?:warn|error)"/.test(line) : /\b(?:failed|\w*Error)\b/.test(line);

const cut = (line: string): string => (line.length > maxLength ? `${line.slice(0, maxLength)}…` : line);

/** Returns the lines that report a problem, or the last lines. */
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
  const marks = modes.map((mode) => join(dataDir, 'logs', `${mode}.log`)).map((file) => ({ file, from: sizeOf(file) }));
  return () =>
    marks.flatMap(({ file, from }) => {
      const lines = chosen(tail(file, from));
      return lines.length === 0 ? [] : [`${file}:`, ...lines.map((line) => `  ${line}`)];
    });
};
