import { chmod, mkdir, readFile, rename, writeFile } from 'node:fs/promises';
import { dirname } from 'node:path';

/** Whether a process runs, including one of another user. */
export const isAlive = (pid: number): boolean => {
  if (!Number.isInteger(pid) || pid <= 0) return false;
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return error instanceof Error && 'code' in error && error.code === 'EPERM';
  }
};

/** Collects closers and runs them in reverse order, also after an incomplete start. */
export const openClosers = () => {
  const closers: (() => Promise<void>)[] = [];
  return {
    add: (close: () => Promise<void>) => void closers.push(close),
    close: async () => {
      while (closers.length > 0) await closers.pop()?.();
    },
  };
};

export type Closers = ReturnType<typeof openClosers>;

/** Reads a JSON file of the data directory; undefined when it does not exist. */
export const readJson = async <Content>(file: string): Promise<Content | undefined> => {
  try {
    return JSON.parse(await readFile(file, 'utf8')) as Content;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
    throw new Error(`${file} is not readable: start with --fresh`, { cause: error });
  }
};

/** Writes a file with secrets atomically, readable for its owner only. */
export const writePrivateJson = async (file: string, content: unknown): Promise<void> => {
  await mkdir(dirname(file), { recursive: true, mode: 0o700 });
  const draft = `${file}.${process.pid}.tmp`;
  await writeFile(draft, `${JSON.stringify(content, null, 2)}\n`, { mode: 0o600 });
  // A draft that a crash left retains its file mode.
  await chmod(draft, 0o600);
  await rename(draft, file);
};
