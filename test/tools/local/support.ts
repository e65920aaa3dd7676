import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { onTestFinished } from 'vitest';
import type { Closers } from '../../../lib/tools/local/json-file.ts';

const newDirectory = async (): Promise<string> => mkdtemp(join(tmpdir(), 'returns-local-'));

/** Creates a directory that is removed after the test. */
export const temporaryDirectory = async (): Promise<string> => {
  const directory = await newDirectory();
  onTestFinished(() => rm(directory, { recursive: true, force: true }));
  return directory;
};

/** Creates a directory that the closers of a test file remove. */
export const folderOfFile = async (closers: Closers): Promise<string> => {
  const directory = await newDirectory();
  closers.add(async () => rm(directory, { recursive: true, force: true }));
  return directory;
};
