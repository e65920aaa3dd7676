import { existsSync, readFileSync } from 'node:fs';
import { dirname, resolve } from 'node:path';
import { parseSync } from 'oxc-parser';

const known = new Map<string, readonly string[]>();

const isSource = (file: string): boolean => /\.(ts|tsx|mjs|js)$/.test(file) && existsSync(file);

const read = (file: string): readonly string[] => {
  const text = readFileSync(file, 'utf8');
  const { module } = parseSync(file, text);
  const requests = [
    // An import of types only leaves no import in the running code.
    ...module.staticImports
      .filter(({ entries }) => entries.length === 0 || entries.some(({ isType }) => !isType))
      .map(({ moduleRequest }) => moduleRequest.value),
    ...module.staticExports.flatMap(({ entries }) =>
      entries.flatMap(({ moduleRequest, isType }) => (moduleRequest === null || isType ? [] : [moduleRequest.value])),
    ),
    ...module.dynamicImports.map(({ moduleRequest }) =>
      text.slice(moduleRequest.start, moduleRequest.end).replaceAll(/^['"`]|['"`]$/g, ''),
    ),
  ];
  return requests.filter((request) => request.startsWith('.')).map((request) => resolve(dirname(file), request));
};

/** Returns the files that a file imports at run time, without packages and generated aliases. */
const importsOf = (file: string): readonly string[] => {
  const imports = known.get(file) ?? (isSource(file) ? read(file) : []);
  known.set(file, imports);
  return imports;
};

/** Returns every file that a file reaches by its imports, with itself. Paths are absolute. */
export const reachedFrom = (file: string): ReadonlySet<string> => {
  const reached = new Set([resolve(file)]);
  for (const path of reached) for (const imported of importsOf(path)) reached.add(imported);
  return reached;
};
