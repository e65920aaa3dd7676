// The default import, whose functions the tests replace.
import fs from 'node:fs';

const standardOutput = 1;

const isFull = (error: unknown): boolean => error instanceof Error && 'code' in error && error.code === 'EAGAIN';

/** Returns the number of written bytes; all of them when the output is closed, since a lost line is no failure. */
const written = (write: () => number): number => {
  try {
    return write();
  } catch (error) {
    return isFull(error) ? 0 : Number.POSITIVE_INFINITY;
  }
};

/** A non-blocking pipe accepts as many bytes as it has space for. */
const writeRest = (bytes: Buffer, from: number): void => {
  const asleep = new Int32Array(new SharedArrayBuffer(4));
  let at = from;
  while (at < bytes.length) {
    Atomics.wait(asleep, 0, 0, 1);
    at += written(() => fs.writeSync(standardOutput, bytes, at, bytes.length - at));
  }
};

/**
 * Writes a line to standard output, synchronously. A line is lost when the output is closed. It does not use
 * `process.stdout`: the creation of that stream costs a millisecond of a cold start, and each write is slow.
 */
export const writeLine = (line: string): void => {
  const text = `${line}\n`;
  const count = written(() => fs.writeSync(standardOutput, text));
  if (count < Buffer.byteLength(text)) writeRest(Buffer.from(text), count);
};
