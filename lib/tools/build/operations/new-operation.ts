import { existsSync, globSync, readFileSync } from 'node:fs';
import { basename, dirname, relative } from 'node:path';
import { Script } from 'node:vm';
import { suggestion } from '../../../runtime/nearest.ts';
import { commandOf, decisionOf, entryOf, kebabCase, type KindName, kinds, serviceOf, testOf } from './stubs.ts';

/** An operation to add, as the command line names it. */
export type Wanted = { readonly name: string; readonly resource: string; readonly kind: string };

/** The files of the stubs with their texts, or why there are none, in one sentence. */
export type Planned =
  | { readonly ok: true; readonly files: ReadonlyMap<string, string> }
  | { readonly ok: false; readonly failure: string };

/** Returns the files of entries by the resource of the command line: `returns`, or `returns/money`. */
const entryFilesByResource = (): ReadonlyMap<string, string> =>
  new Map(
    globSync('lib/contract/*/*operations.ts')
      .toSorted()
      .map((file) => [file.replace(/^lib\/contract\/|\/operations\.ts$|-operations\.ts$/g, ''), file] as const),
  );

/** Returns the file that states an operation; undefined for an unknown name. */
const fileOfOperation = (name: string, files: Iterable<string>): string | undefined =>
  [...files].find((file) => new RegExp(`^export const ${name} =`, 'm').test(readFileSync(file, 'utf8')));

const isName = (name: string): boolean => {
  if (!/^[a-z][a-z0-9]+([A-Z][a-z0-9]+)*$/.test(name)) return false;
  try {
    // A name such as `delete` is a word of the language.
    return new Script(`'use strict'; const ${name} = 0;`) instanceof Script;
  } catch {
    return false;
  }
};

const isKind = (kind: string): kind is KindName => Object.hasOwn(kinds, kind);

const unknown = (what: string, word: string, names: readonly string[]): string =>
  `Unknown ${what} ${word}.${suggestion(word, names) || ` There are ${names.join(', ')}.`}`;

/** Returns why an operation cannot be added; undefined when it can. */
const failureOf = ({ name, resource, kind }: Wanted, resources: ReadonlyMap<string, string>): string | undefined => {
  if (!isName(name)) return `${name} is no name of an operation. Use camel case, a verb and an object: pauseReturn.`;
  const known = fileOfOperation(name, resources.values());
  if (known !== undefined) return `${name} exists already, in ${known}. Choose another name.`;
  if (!resources.has(resource)) return unknown('resource', resource, [...resources.keys()]);
  return isKind(kind) ? undefined : unknown('kind', kind, Object.keys(kinds));
};

/** Adds a name to an import of a module, or the import. */
const withImport = (text: string, name: string, module: string): string => {
  const found = new RegExp(`import \\{([^}]*)\\} from '${module.replaceAll('.', '\\.')}';`).exec(text);
  if (found === null) return `import { ${name} } from '${module}';\n${text}`;
  const [line, names = ''] = found;
  if (new RegExp(`\\b${name}\\b`).test(names)) return text;
  return text.replace(line, `import {${names.trimEnd().replace(/,$/, '')}, ${name} } from '${module}';`);
};

/** Adds a line to a file: before each line that matches and ends something, after each other one. */
const withLine = (file: string, place: RegExp, line: string): string => {
  const text = readFileSync(file, 'utf8');
  const changed = text.replace(place, (found) => (found.startsWith('}') ? `${line}\n${found}` : `${found}\n${line}`));
  if (changed === text) throw new Error(`${file} has no line ${String(place)}: adapt lib/tools/build/operations`);
  return changed;
};

const entryText = (file: string, name: string, kind: KindName, isOnReturn: boolean): string => {
  const imports: readonly (readonly [string, string])[] = [
    [kinds[kind].builder, '../entry.ts'],
    ...(isOnReturn
      ? ([
          ['commandErrorCodes', './commands.ts'],
          ['Return', './return.ts'],
          ['ReturnPath', './return.ts'],
        ] as const)
      : []),
  ];
  const text = imports.reduce((source, [type, module]) => withImport(source, type, module), readFileSync(file, 'utf8'));
  return `${text}${entryOf(name, kind, isOnReturn)}`;
};

/** The files of a command on a return. */
const commandFiles = (name: string, kind: KindName): readonly (readonly [string, string])[] => {
  const scope = kind === 'command' ? 'returns:write' : 'returns:admin';
  const screen = 'lib/console/screens/return/commands.ts';
  const listed = withLine(screen, /^} from '\.\.\/\.\.\/\.\.\/contract\/operations\.ts';$/m, `  ${name},`);
  return [
    [`lib/domain/returns/commands/${kebabCase(name)}.ts`, decisionOf(name)],
    [`lib/service/operations/returns/${kebabCase(name)}.ts`, commandOf(name)],
    [
      'lib/domain/returns/rules/states.ts',
      withLine(
        'lib/domain/returns/rules/states.ts',
        /^} as const satisfies Readonly<Record<string, Row>>;$/m,
        `  ${name}: { in: fillIn('the statuses that allow it, such as approvedStatuses'), scope: '${scope}' },`,
      ),
    ],
    [screen, listed.replace(/^export const commands = \{$/m, (found) => `${found}\n  ${name},`)],
    ...['en', 'pt'].map((language): readonly [string, string] => {
      const file = `lib/console/texts/${language}/labels.json`;
      return [file, withLine(file, /^ {2}"action": \{$/m, `    "${name}": "fillIn('the label of its button')",`)];
    }),
  ];
};

/** The files of any other operation. */
const serviceFiles = (name: string, resource: string): readonly (readonly [string, string])[] => {
  // Operations on the service itself have no folder.
  const folder = resource === 'service' ? 'lib/service/operations' : `lib/service/operations/${resource}`;
  const table = resource === 'inbox' ? 'inboxPermissions' : 'standalonePermissions';
  return [
    [`${folder}/${kebabCase(name)}.ts`, serviceOf(name, relative(folder, 'lib'))],
    [
      'lib/tools/template/functions/operation-permissions.ts',
      withLine(
        'lib/tools/template/functions/operation-permissions.ts',
        new RegExp(`^export const ${table}: .*\\{$`, 'm'),
        `  ${name}: fillIn('the permissions, from lib/tools/template/permissions'),`,
      ),
    ],
  ];
};

/** Plans the stubs of an operation: new files, and files with an addition. It writes nothing. */
export const planOperation = (wanted: Wanted): Planned => {
  const resources = entryFilesByResource();
  const failure = failureOf(wanted, resources);
  const { name, resource, kind } = wanted;
  const file = resources.get(resource);
  if (failure !== undefined || file === undefined || !isKind(kind)) return { ok: false, failure: failure ?? '' };
  const folder = dirname(file).replace('lib/contract/', '');
  const isOnReturn = folder === 'returns' && kinds[kind].builder.toLowerCase().endsWith('command');
  const test = `test/contract/${kebabCase(name)}.test.ts`;
  const added = isOnReturn ? commandFiles(name, kind) : serviceFiles(name, folder);
  const files = new Map([[file, entryText(file, name, kind, isOnReturn)], ...added, [test, testOf(name, isOnReturn)]]);
  const known = [...files.keys()].find((path) => basename(path).startsWith(`${kebabCase(name)}.`) && existsSync(path));
  return known === undefined
    ? { ok: true, files }
    : { ok: false, failure: `${known} exists already. Remove it first.` };
};
