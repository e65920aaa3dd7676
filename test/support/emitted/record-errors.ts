import { join, sep } from 'node:path';
import type { Plugin } from 'vitest/config';

/** The global key of the class that records every error of ours. */
export const recordedError = Symbol.for('returns.recorded-error');

const lib = join(import.meta.dirname, '..', '..', '..', 'lib') + sep;

/** Makes every error class in `lib` extend the recording class, where that exists. No list of classes is needed. */
export const recordErrors = (): Plugin => ({
  name: 'record-errors',
  enforce: 'pre',
  transform: (code, id) =>
    id.startsWith(lib) && / extends Error\b/.test(code)
      ? // On the same line, so that line numbers remain correct.
        code.replaceAll(
          / extends Error\b/g,
          ` extends (globalThis[Symbol.for('${recordedError.description}')] ?? Error)`,
        )
      : undefined,
});
