import { globSync, readFileSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { parseSync } from 'oxc-parser';

/** The imports of a source that remain in the running code, by the module that they name. */
const importsIn = (
  source: string,
  file = 'source.ts',
): readonly (readonly [module: string, names: readonly string[]])[] =>
  parseSync(file, source).module.staticImports.flatMap(({ moduleRequest, entries }) => {
    const used = entries.filter(({ isType }) => !isType);
    return used.length === 0 ? [] : [[moduleRequest.value, used.map(({ importName }) => importName.name ?? '*')]];
  });

const backendNames = (imports: ReturnType<typeof importsIn>): readonly string[] =>
  imports.flatMap(([module, names]) => (module === '#backend' ? names : []));

/** Returns the operations that a file imports from `#backend`. */
export const importedOperations = (source: string): readonly string[] => backendNames(importsIn(source));

/** Returns the operations of a function: those that its file imports, or a file of lib that it imports. */
export const operationsIn = (file: string): readonly string[] => {
  const imports = importsIn(readFileSync(file, 'utf8'));
  const own = backendNames(imports);
  if (own.length > 0) return own;
  return imports.flatMap(([path]) =>
    path.startsWith('.') ? importedOperations(readFileSync(join(dirname(file), path), 'utf8')) : [],
  );
};

/** A Lambda function: a file in functions/. */
export type FunctionFile = {
  /** Its name in lib/tools/template/functions.ts and its folder in dist/<offer>/: the file's name in camel case. */
  readonly name: string;
  readonly file: string;
  /** The first folder in functions/: its trigger. */
  readonly group: string;
};

const camelCase = (kebab: string) => kebab.replaceAll(/-([a-z])/g, (_, letter: string) => letter.toUpperCase());

/** Returns the files of all functions, of any deployment. */
export const allFunctionFiles = (): readonly FunctionFile[] =>
  globSync('functions/**/*.ts')
    .toSorted()
    .map((file) => ({ file, name: camelCase(basename(file, '.ts')), group: file.split('/')[1] ?? '' }));

/**
 * The operations of the console: those that its scripts import. It exists as a whole or not at all, because its screens
 * show all that the contract has.
 */
const consoleOperations = (): readonly string[] => [
  ...new Set(
    globSync('lib/console/**/*.{ts,tsx}').flatMap((file) =>
      importsIn(readFileSync(file, 'utf8'), file).flatMap(([module, names]) =>
        module.endsWith('/contract/operations.ts') ? names : [],
      ),
    ),
  ),
];

/** The operations of functions whose own code calls none. */
const ofOthers: Readonly<Record<string, () => readonly string[]>> = { console: consoleOperations };

let needs: ReadonlyMap<string, readonly string[]> | undefined;

/** Returns the operations of the port that a function calls. */
export const operationsOf = (name: string): readonly string[] => {
  needs ??= new Map(
    allFunctionFiles().map(({ name: known, file }) => [known, ofOthers[known]?.() ?? operationsIn(file)]),
  );
  return needs.get(name) ?? [];
};
