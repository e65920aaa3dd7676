import fs from 'node:fs';
import { vi } from 'vitest';

/** Passes each line for standard output to `hear` instead, until mocks are restored. */
export const hearLines = (hear: (line: string) => void) => {
  const writeSync = fs.writeSync.bind(fs) as (...args: unknown[]) => number;
  const heard = (...args: unknown[]): number => {
    const [descriptor, line] = args;
    if (descriptor !== 1 || typeof line !== 'string') return writeSync(...args);
    hear(line);
    return Buffer.byteLength(line);
  };
  return vi.spyOn(fs, 'writeSync').mockImplementation(heard);
};
