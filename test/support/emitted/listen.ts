import { hash } from 'node:crypto';
import { subscribe } from 'node:diagnostics_channel';
import fs from 'node:fs';
import { inspect } from 'node:util';
import { keep } from './record.ts';
import { seenError } from './seen-errors.ts';

/* Records the output of our code in this process, also where no test reads it. It starts once for all test files. */

/** Returns whether a recorded line of our log need not be printed. */
const isQuiet = (text: string): boolean => /^\{"level":"(debug|info|warn)"/.test(text);

const listenToProcess = (): void => {
  for (const stream of [process.stdout, process.stderr]) {
    const write = stream.write.bind(stream) as (...given: unknown[]) => boolean;
    stream.write = (...given: unknown[]) => {
      const text = String(given[0]);
      keep('output', text);
      return isQuiet(text) || write(...given);
    };
  }
  const writeSync = fs.writeSync.bind(fs) as (...given: unknown[]) => number;
  const listening = (...given: unknown[]): number => {
    const [descriptor, data, from = 0, length] = given as [unknown, unknown, number?, number?];
    if (descriptor !== 1 && descriptor !== 2) return writeSync(...given);
    const text = Buffer.isBuffer(data) ? data.toString('utf8', from, from + (length ?? data.length)) : String(data);
    keep('output', text);
    return isQuiet(text) ? Buffer.byteLength(text) : writeSync(...given);
  };
  fs.writeSync = listening;
  for (const name of ['debug', 'info', 'log', 'warn', 'error'] as const) {
    const print = console[name].bind(console);
    console[name] = (...given: unknown[]) => {
      keep('output', inspect(given, { depth: null }));
      print(...given);
    };
  }
  subscribe('returns-client', (line) => keep('output', JSON.stringify(line)));
};

/** Returns an error in every common format. */
const shown = (error: Error): string =>
  [inspect(error, { depth: null, showHidden: true }), JSON.stringify(error), String(error), error.stack].join('\n');

/** Hashes of recorded errors: a soak creates the same errors a million times. */
const kept = new Set<string>();

const keepOnce = (text: string): void => {
  const key = hash('sha1', text);
  if (!kept.has(key)) keep('error', text);
  kept.add(key);
};

/** The class between our errors and `Error`. It records each error that is created. */
class SeenError extends Error {
  constructor(message?: string, options?: ErrorOptions) {
    super(message, options);
    // The subclass sets its fields after this constructor.
    queueMicrotask(() => keepOnce(shown(this)));
  }
}

// The process outlives this module, which is loaded again when a test resets the modules.
const marked = globalThis as { [seenError]?: typeof Error };
if (marked[seenError] === undefined) {
  // All our errors are created with `new`. The class cannot be called without it.
  marked[seenError] = SeenError as typeof Error;
  listenToProcess();
}
