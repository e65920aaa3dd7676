import { globSync, readFileSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { parseSync } from 'oxc-parser';

/*
 * Where the sources of the console use the texts of its catalogues. The types of JSON have the names of texts, but not
 * their placeholders, and a text that no source reads is no type error.
 */

export type Texts = { readonly [name: string]: Texts | string };

/** A text, or a group whose texts a source reads by a variable. The values are those that `fill` gets; none without it. */
export type Use = { readonly key: string; readonly file: string; readonly values: readonly string[] };

type Node = { readonly type: string } & Readonly<Record<string, unknown>>;

/** The room of a catalogue, then names in it. */
type Path = readonly string[];

/** What the names of a file mean: functions of catalogues, and local constants with a group of texts. */
type Names = {
  readonly rooms: ReadonlyMap<string, string>;
  readonly locals: { readonly name: string; readonly scope: Node; readonly path: Path }[];
};

const formNames = new Set(['0', 'zero', 'one', 'two', 'few', 'many', 'other']);

const isText = (texts: Texts | string): boolean =>
  typeof texts === 'string' || Object.keys(texts).every((name) => formNames.has(name));

/** Reads the catalogues of a language by their rooms. */
export const catalogues = (language: string): Texts =>
  Object.fromEntries(
    globSync(`lib/console/texts/${language}/*.json`).map((file): [string, Texts] => [
      basename(file, '.json'),
      JSON.parse(readFileSync(file, 'utf8')) as Texts,
    ]),
  );

/** Returns the forms of all texts by their keys. A text without a plural has one form, `other`. */
export const formsByKey = (
  texts: Texts | string,
  path: Path = [],
): ReadonlyMap<string, Readonly<Record<string, string>>> =>
  isText(texts)
    ? new Map([[path.join('.'), typeof texts === 'string' ? { other: texts } : (texts as Record<string, string>)]])
    : new Map(Object.entries(texts).flatMap(([name, below]) => [...formsByKey(below, [...path, name])]));

const english = catalogues('en');

const textsAt = (path: Path): Texts | string | undefined =>
  path.reduce<Texts | string | undefined>(
    (texts, name) => (typeof texts === 'object' ? texts[name] : undefined),
    english,
  );

const isNode = (value: unknown): value is Node => typeof value === 'object' && value !== null && 'type' in value;

const childrenOf = (node: Node): readonly Node[] => Object.values(node).flat().filter(isNode);

const nameOf = (node: unknown): string => (isNode(node) ? String(node['name'] ?? node['value']) : '');

/** Returns the rooms of the catalogues that a file makes or imports, by the names of their functions. */
const roomsOf = (file: string): ReadonlyMap<string, string> => {
  const source = readFileSync(file, 'utf8');
  const room = /\/en\/([\w-]+)\.json'/.exec(source)?.[1];
  const own = /const (\w+) = texts\(/.exec(source)?.[1];
  if (room !== undefined && own !== undefined) return new Map([[own, room]]);
  const imports = source.matchAll(/^import \{([^}]*)\} from '([^']*\/(?:texts|common|form-texts)\.ts)';$/gm);
  return new Map(
    Array.from(imports).flatMap(([, names = '', module = '']) => {
      const exported = roomsOf(join(dirname(file), module));
      return names.split(',').flatMap((each): [string, string][] => {
        const [name = '', local = name] = each.trim().split(' as ');
        const known = exported.get(name);
        return known === undefined ? [] : [[local, known]];
      });
    }),
  );
};

/** Returns the paths of texts that an expression may have: both of a choice, none if it is no text. */
const pathsOf = (node: unknown, names: Names, scopes: readonly Node[]): readonly Path[] => {
  if (!isNode(node)) return [];
  switch (node.type) {
    case 'ConditionalExpression':
      return [...pathsOf(node['consequent'], names, scopes), ...pathsOf(node['alternate'], names, scopes)];
    case 'Identifier': {
      const found = names.locals.filter(({ name, scope }) => name === node['name'] && scopes.includes(scope));
      return found.map(({ path }) => path);
    }
    case 'CallExpression': {
      const room = names.rooms.get(nameOf(node['callee']));
      return room === undefined ? [] : [[room]];
    }
    case 'MemberExpression': {
      if (node['computed'] === true) return [];
      const paths = pathsOf(node['object'], names, scopes).map((path) => [...path, nameOf(node['property'])]);
      return paths.filter((path) => textsAt(path) !== undefined);
    }
    default:
      return [];
  }
};

/** Adds the local names of a group of texts, which a constant or the default of a parameter declares. */
const declare = (target: unknown, path: Path, names: Names, scope: Node): void => {
  if (!isNode(target)) return;
  if (target.type !== 'ObjectPattern') {
    names.locals.push({ name: nameOf(target), scope, path });
    return;
  }
  for (const property of childrenOf(target))
    declare(property['value'], [...path, nameOf(property['key'])], names, scope);
};

/** Returns what a node declares: the names, and the paths of their texts. */
const declarationIn = (node: Node, names: Names, scopes: readonly Node[]): readonly [unknown, readonly Path[]] => {
  if (node.type === 'VariableDeclarator') return [node['id'], pathsOf(node['init'], names, scopes)];
  if (node.type === 'AssignmentPattern') return [node['left'], pathsOf(node['right'], names, scopes)];
  return [undefined, []];
};

/** Returns the uses of texts below a node. Its scopes are the functions around it. */
const usesBelow = (node: Node, file: string, names: Names, scopes: readonly Node[]): readonly Use[] => {
  const useOf = (path: Path, values: readonly string[]): Use => ({ key: path.join('.'), file, values });
  const [target, declared] = declarationIn(node, names, scopes);
  for (const path of declared) declare(target, path, names, scopes.at(-1) ?? node);
  if (declared.length > 0) return [];
  if (node.type === 'CallExpression' && nameOf(node['callee']) === 'fill') {
    const [text, values] = node['arguments'] as readonly [Node, Node];
    const given = childrenOf(values).map((property) => nameOf(property['key']));
    const filled = pathsOf(text, names, scopes).map((path) => useOf(path, given));
    const others = filled.length > 0 ? [values] : [text, values];
    return [...filled, ...others.flatMap((each) => usesBelow(each, file, names, scopes))];
  }
  const read = pathsOf(node, names, scopes).map((path) => useOf(path, []));
  if (read.length > 0 && node.type !== 'ConditionalExpression') return read;
  const inner = node.type.includes('Function') ? [...scopes, node] : scopes;
  return childrenOf(node).flatMap((child) => usesBelow(child, file, names, inner));
};

/** Returns the uses of texts in all sources of the console. */
export const usesOfTexts = (): readonly Use[] =>
  globSync('lib/console/**/*.{ts,tsx}').flatMap((file) => {
    const names: Names = { rooms: roomsOf(file), locals: [] };
    const program = parseSync(file, readFileSync(file, 'utf8')).program as unknown as Node;
    return names.rooms.size === 0 ? [] : usesBelow(program, file, names, [program]);
  });
