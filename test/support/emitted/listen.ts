import { hash } from 'node:crypto';
import { subscribe } from 'node:diagnostics_channel';
import fs from 'node:fs';
import { inspect } from 'node:util';
import { record } from './record.ts';
import { recordedError } from './record-errors.ts';

/* Records the output of our code in this process, also where no test reads it. It starts once for all test files. */

/** Returns whether a recorded line of our log, or of our metrics, need not be printed. */
const isQuiet = (text: string): boolean => /^\{"(level":"(debug|info|warn)|_aws)"/.test(text);

const listenToProcess = (): void => {
  for (const stream of [process.stdout, process.stderr]) {
    const write = stream.write.bind(stream) as (...args: unknown[]) => boolean;
    stream.write = (...args: unknown[]) => {
      const text = String(args[0]);
      record('output', text);
      return isQuiet(text) || write(...args);
    };
  }
  const writeSync = fs.writeSync.bind(fs) as (...args: unknown[]) => number;
  const listening = (...args: unknown[]): number => {
    const [descriptor, data, from = 0, length] = args as [unknown, unknown, number?, number?];
    if (descriptor !== 1 && descriptor !== 2) return writeSync(...args);
    const text = Buffer.isBuffer(data) ? data.toString('utf8', from, from + (length ?? data.length)) : String(data);
    record('output', text);
    return isQuiet(text) ? Buffer.byteLength(text) : writeSync(...args);
  };
  fs.writeSync = listening;
  for (const name of ['debug', 'info', 'log', 'warn', 'error'] as const) {
    const print = console[name].bind(console);
    console[name] = (...args: unknown[]) => {
      record('output', inspect(args, { depth: null }));
      print(...args);
    };
  }
  subscribe('returns-client', (line) => record('output', JSON.stringify(line)));
};

/** Returns an error in every common format. */
const shown = (error: Error): string =>
  [inspect(error, { depth: null, showHidden: true }), JSON.stringify(error), String(error), error.stack].join('\n');

/** Hashes of recorded errors: a soak creates the same errors a million times. */
const recorded = new Set<string>();

const recordOnce = (text: string): void => {
  const key = hash('sha1', text);
  if (!recorded.has(key)) record('error', text);
  recorded.add(key);
};

/** The class between our errors and `Error`. It records each error that is created. */
class RecordedError extends Error {
  constructor(message?: string, options?: ErrorOptions) {
    super(message, options);
    // The subclass sets its fields after this constructor.
    queueMicrotask(() => recordOnce(shown(this)));
  }
}

// The process outlives this module, which is loaded again when a test resets the modules.
const marked = globalThis as { [recordedError]?: typeof Error };
if (marked[recordedError] === undefined) {
  // All our errors are created with `new`. The class cannot be called without it.
  marked[recordedError] = RecordedError as typeof Error;
  listenToProcess();
}
