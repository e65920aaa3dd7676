import { chmod, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { temporaryDirectory } from './support.ts';

/**
 * Creates a folder for PATH with fake programs. The engines are found by them and run with them.
 *
 * @param programs shell script by name
 */
export const programs = async (scripts: Readonly<Record<string, string>>): Promise<string> => {
  const folder = await temporaryDirectory();
  for (const [name, script] of Object.entries(scripts)) {
    const file = join(folder, name);
    await writeFile(file, `#!/bin/sh\n${script}\n`);
    await chmod(file, 0o755);
  }
  return folder;
};
