import { globSync } from 'node:fs';
import { mkdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { dirname, join, relative, resolve } from 'node:path';

/** The files that this process has written, or found to be right. */
const current = new Set<string>();

let drafts = 0;

/** A name beside a file for what is not complete yet; two processes never choose the same one. */
const draftOf = (file: string): string => `${file}.${process.pid}-${(drafts += 1)}.tmp`;

/** Writes a file whole or not at all. */
const replace = async (file: string, content: Uint8Array): Promise<void> => {
  const draft = draftOf(file);
  await writeFile(draft, content);
  await rename(draft, file);
};

/**
 * Writes a file only where its content differs, so that a process which reads it is not disturbed. A reader sees the old
 * content or the new one, and never a part.
 */
export const writeChanged = async (file: string, content: string | Uint8Array): Promise<void> => {
  const bytes = typeof content === 'string' ? Buffer.from(content) : content;
  current.add(resolve(file));
  const present = await readFile(file).catch(() => undefined);
  if (present !== undefined && present.equals(bytes)) return;
  await mkdir(dirname(file), { recursive: true });
  await replace(file, bytes);
};

/** Every file below a folder; none where there is no such folder. */
const filesIn = (folder: string): readonly string[] =>
  globSync('**/*', { cwd: folder, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name));

/** Removes from a folder what earlier builds wrote and this process did not. Drafts belong to another process. */
export const removeOthers = async (folder: string): Promise<void> => {
  const others = filesIn(folder).filter((file) => !current.has(resolve(file)) && !file.endsWith('.tmp'));
  await Promise.all(others.map((file) => rm(file, { force: true })));
};

/**
 * Makes a folder hold the same files as another one. Files that are the same already are left alone, and the others are
 * replaced one by one: there is no moment at which a file is missing.
 */
export const mirror = async (from: string, to: string): Promise<void> => {
  for (const file of filesIn(from)) await writeChanged(join(to, relative(from, file)), await readFile(file));
  await removeOthers(to);
};
