import { join, relative, sep } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';

/*
 * Imports the modules of the arguments, and prints as JSON which module of lib reads which variables meanwhile.
 * Packages may read the environment while they load.
 */

const lib = join(process.cwd(), 'lib') + sep;
const libUrl = pathToFileURL(lib).href;
const reads: Record<string, string[]> = {};
Error.stackTraceLimit = 100;

/** Returns the module of lib at the bottom of the stack, which is being imported. */
const importedModule = (): string | undefined => {
  const frame = new Error('stack').stack?.split('\n').findLast((line) => line.includes(libUrl));
  const url = /file:[^)]*?(?=:\d+:\d+)/.exec(frame ?? '')?.[0];
  return url === undefined ? undefined : relative(process.cwd(), fileURLToPath(url));
};

const noteRead = (name: string | symbol): void => {
  const file = importedModule();
  if (file !== undefined && typeof name === 'string') (reads[file] ??= []).push(name);
};

process.env = new Proxy<NodeJS.ProcessEnv>(
  {},
  {
    get: (_, name) => {
      noteRead(name);
      return undefined;
    },
    has: (_, name) => {
      noteRead(name);
      return false;
    },
    ownKeys: () => {
      noteRead('*');
      return [];
    },
  },
);

for (const file of process.argv.slice(2)) await import(pathToFileURL(file).href);
console.log(JSON.stringify(reads));
