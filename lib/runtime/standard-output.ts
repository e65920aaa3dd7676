// By its default, through which the tests hear what is written.
import fs from 'node:fs';

const standardOutput = 1;

const isFull = (error: unknown): boolean => error instanceof Error && 'code' in error && error.code === 'EAGAIN';

/** How many bytes went out; all of them where nobody can read: what is lost fails nothing. */
const written = (write: () => number): number => {
  try {
    return write();
  } catch (error) {
    return isFull(error) ? 0 : Number.POSITIVE_INFINITY;
  }
};

/** A pipe that somebody made non-blocking takes what it has room for. */
const writeRest = (bytes: Buffer, from: number): void => {
  const asleep = new Int32Array(new SharedArrayBuffer(4));
  let at = from;
  while (at < bytes.length) {
    Atomics.wait(asleep, 0, 0, 1);
    at += written(() => fs.writeSync(standardOutput, bytes, at, bytes.length - at));
  }
};

/**
 * Writes a line to standard output, and returns when all of it is there, or lost because nobody can read it. Past
 * `process.stdout`: to make that stream takes a millisecond of a cold start, and to write to it as long as all the rest of
 * a line.
 */
export const writeLine = (line: string): void => {
  const text = `${line}\n`;
  const count = written(() => fs.writeSync(standardOutput, text));
  if (count < Buffer.byteLength(text)) writeRest(Buffer.from(text), count);
};
