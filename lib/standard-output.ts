// By its default, through which the tests hear what is written.
import fs from 'node:fs';

const standardOutput = 1;

/** Lines are written from here where they fit. */
const page = Buffer.allocUnsafeSlow(8_192);
/** Of a UTF-16 code unit in UTF-8. */
const mostBytes = 3;

const isFull = (error: unknown): boolean => error instanceof Error && 'code' in error && error.code === 'EAGAIN';

/** How much of it went out. What nobody can read is lost, and fails nothing. */
const write = (bytes: Buffer, from: number, to: number): number => {
  try {
    return fs.writeSync(standardOutput, bytes, from, to - from);
  } catch (error) {
    return isFull(error) ? 0 : to - from;
  }
};

/** A pipe that somebody made non-blocking takes what it has room for. */
const writeRest = (bytes: Buffer, written: number, end: number): void => {
  const asleep = new Int32Array(new SharedArrayBuffer(4));
  for (let at = written; at < end; at += write(bytes, at, end)) Atomics.wait(asleep, 0, 0, 1);
};

/**
 * Writes a line to standard output, and returns when all of it is there, or lost because nobody can read it. Past `process.stdout`: to make that stream takes
 * a millisecond of a cold start, and to write to it as long as all the rest of a line.
 */
export const writeLine = (line: string): void => {
  const text = `${line}\n`;
  const fits = text.length * mostBytes <= page.length;
  const bytes = fits ? page : Buffer.from(text);
  const end = fits ? page.write(text) : bytes.length;
  const written = write(bytes, 0, end);
  if (written < end) writeRest(bytes, written, end);
};
