import fs from 'node:fs';
import { vi } from 'vitest';

/** Hears each line that is written to standard output, which does not get there, until mocks are restored. */
export const hearLines = (hear: (line: string) => void) => {
  const writeSync = fs.writeSync.bind(fs) as (...given: unknown[]) => number;
  const heard = (...given: unknown[]): number => {
    const [descriptor, bytes, from, length] = given as [number, Buffer, number, number];
    if (descriptor !== 1) return writeSync(...given);
    hear(bytes.toString('utf8', from, from + length));
    return length;
  };
  return vi.spyOn(fs, 'writeSync').mockImplementation(heard);
};
