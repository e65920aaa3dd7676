import { subscribe } from 'node:diagnostics_channel';
import fs from 'node:fs';
import { inspect } from 'node:util';
import { TransportError } from '../../../lib/net/transport-error.ts';
import { AccessError } from '../../../lib/oauth/access-error.ts';
import { SecretUnavailable } from '../../../lib/secrets/secret.ts';
import { keep } from './record.ts';

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

// The process outlives this module, which is loaded anew when a test resets the modules.
const heard = Symbol.for('returns.emitted');
const marked = globalThis as { [heard]?: true };
if (marked[heard] === undefined) {
  marked[heard] = true;
  listenToProcess();
}

/** Every way in which an error is commonly shown. */
const shown = (error: Error): string =>
  [inspect(error, { depth: null, showHidden: true }), JSON.stringify(error), String(error), error.stack].join('\n');

/** Stands between our errors and `Error`: it sees each that is made. */
class SeenError extends Error {
  constructor(message?: string) {
    super(message);
    // What its class adds comes after this.
    queueMicrotask(() => keep('error', shown(this)));
  }
}

for (const type of [AccessError, TransportError, SecretUnavailable]) Object.setPrototypeOf(type, SeenError);
