import { join, sep } from 'node:path';
import type { Plugin } from 'vitest/config';

/** Where a process keeps the class that sees every error of ours. */
export const seenError = Symbol.for('returns.seen-error');

const lib = join(import.meta.dirname, '..', '..', '..', 'lib') + sep;

/** Lets every class of errors in `lib` extend, where there is one, the class that sees them: none has to be named for it. */
export const seenErrors = (): Plugin => ({
  name: 'seen-errors',
  enforce: 'pre',
  transform: (code, id) =>
    id.startsWith(lib) && / extends Error\b/.test(code)
      ? // On the same line: what is told of places in the file stays true.
        code.replaceAll(/ extends Error\b/g, ` extends (globalThis[Symbol.for('${seenError.description}')] ?? Error)`)
      : undefined,
});
