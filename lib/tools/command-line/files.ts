import { globSync } from 'node:fs';
import { mkdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { dirname, join, relative, resolve } from 'node:path';

/** The files that this process has written, or found to be current. */
const current = new Set<string>();

let drafts = 0;

/** Returns the name of an incomplete file; two processes never choose the same one. */
const draftOf = (file: string): string => `${file}.${process.pid}-${(drafts += 1)}.tmp`;

/** Replaces a file atomically. */
const replace = async (file: string, content: Uint8Array): Promise<void> => {
  const draft = draftOf(file);
  await writeFile(draft, content);
  await rename(draft, file);
};

/**
 * Writes a file only when its content differs, so that a process that reads it is not disturbed. A reader gets the old
 * or the new content, never a part.
 */
export const writeChanged = async (file: string, content: string | Uint8Array): Promise<void> => {
  const bytes = typeof content === 'string' ? Buffer.from(content) : content;
  current.add(resolve(file));
  const present = await readFile(file).catch(() => undefined);
  if (present !== undefined && present.equals(bytes)) return;
  await mkdir(dirname(file), { recursive: true });
  await replace(file, bytes);
};

/** Returns every file below a folder; none when the folder does not exist. */
const filesIn = (folder: string): readonly string[] =>
  globSync('**/*', { cwd: folder, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name));

/**
 * Removes files that earlier builds wrote and this process did not. Drafts belong to another process.
 *
 * @param kept a folder below it that another command writes
 */
export const removeOthers = async (folder: string, kept?: string): Promise<void> => {
  const isKept = (file: string): boolean => kept !== undefined && file.startsWith(join(folder, kept, '/'));
  const others = filesIn(folder).filter(
    (file) => !current.has(resolve(file)) && !file.endsWith('.tmp') && !isKept(file),
  );
  await Promise.all(others.map((file) => rm(file, { force: true })));
};

/**
 * Copies the files of a folder to another one. It leaves equal files unchanged and replaces the others one by one: no
 * file is ever missing.
 *
 * @param kept a folder below the other one that another command writes
 */
export const mirror = async (from: string, to: string, kept?: string): Promise<void> => {
  for (const file of filesIn(from)) await writeChanged(join(to, relative(from, file)), await readFile(file));
  await removeOthers(to, kept);
};
