import { mkdtemp, rm, writeFile } from 'node:fs/promises';
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

/**
 * Creates a folder for PATH with fake programs. The engines are found by them and run with them.
 *
 * @param scripts shell script by name
 */
export const programs = async (scripts: Readonly<Record<string, string>>): Promise<string> => {
  const folder = await temporaryDirectory();
  for (const [name, script] of Object.entries(scripts))
    await writeFile(join(folder, name), `#!/bin/sh\n${script}\n`, { mode: 0o755 });
  return folder;
};
