import { hash } from 'node:crypto';
import { subscribe } from 'node:diagnostics_channel';
import fs from 'node:fs';
import { inspect } from 'node:util';
import { keep } from './record.ts';
import { seenError } from './seen-errors.ts';

/* What our code emits in this process is kept, whether a test looks at it or not: once, however many files it runs. */

/** Lines of ours that are kept and need not be printed. */
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

/** Every mode in which an error is commonly shown. */
const shown = (error: Error): string =>
  [inspect(error, { depth: null, showHidden: true }), JSON.stringify(error), String(error), error.stack].join('\n');

/** By its hash: a soak makes the same errors a million times. */
const kept = new Set<string>();

const keepOnce = (text: string): void => {
  const key = hash('sha1', text);
  if (!kept.has(key)) keep('error', text);
  kept.add(key);
};

/** Stands between our errors and `Error`: it sees each that is made. */
class SeenError extends Error {
  constructor(message?: string, options?: ErrorOptions) {
    super(message, options);
    // What its class adds comes after this.
    queueMicrotask(() => keepOnce(shown(this)));
  }
}

// The process outlives this module, which is loaded anew when a test resets the modules.
const marked = globalThis as { [seenError]?: typeof Error };
if (marked[seenError] === undefined) {
  // All of ours are made with `new`; it cannot be called without.
  marked[seenError] = SeenError as typeof Error;
  listenToProcess();
}
