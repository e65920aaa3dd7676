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

type Node = { readonly type: string; readonly start: number } & Readonly<Record<string, unknown>>;

/** The room of a catalogue, then names in it. */
type Path = readonly string[];

/** A local constant with a group of texts, and the function where it is known. */
type Local = { readonly name: string; readonly scope: Node; readonly path: Path };

const forms = new Set(['0', 'zero', 'one', 'two', 'few', 'many', 'other']);

const isText = (texts: Texts | string): boolean =>
  typeof texts === 'string' || Object.keys(texts).every((name) => forms.has(name));

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
  return new Map(
    Array.from(source.matchAll(/^import \{([^}]*)\} from '([^']*\/(?:texts|common|form-texts)\.ts)';$/gm)).flatMap(
      ([, names = '', module = '']) => {
        const exported = [...roomsOf(join(dirname(file), module))];
        return names.split(',').flatMap((each) => {
          const [imported = '', local = imported] = each.trim().split(' as ');
          return exported.filter(([name]) => name === imported).map(([, known]) => [local, known] as const);
        });
      },
    ),
  );
};

/** Collects the uses of texts in a file. */
const usesIn = (file: string): readonly Use[] => {
  const rooms = roomsOf(file);
  if (rooms.size === 0) return [];
  const locals: Local[] = [];
  const uses: Use[] = [];

  /** Returns the paths that an expression may have: both of a choice, none if it is no text. */
  const pathsOf = (node: unknown, scopes: readonly Node[]): readonly Path[] => {
    if (!isNode(node)) return [];
    if (node.type === 'ConditionalExpression')
      return [...pathsOf(node['consequent'], scopes), ...pathsOf(node['alternate'], scopes)];
    if (node.type === 'Identifier')
      return locals
        .filter(({ name, scope }) => name === node['name'] && scopes.includes(scope))
        .map(({ path }) => path);
    if (node.type === 'CallExpression') {
      const room = rooms.get(nameOf(node['callee']));
      return room === undefined ? [] : [[room]];
    }
    if (node.type !== 'MemberExpression' || node['computed'] === true) return [];
    const name = nameOf(node['property']);
    return pathsOf(node['object'], scopes)
      .map((path) => [...path, name])
      .filter((path) => textsAt(path) !== undefined);
  };

  const use = (path: Path, values: readonly string[] = []): void =>
    void uses.push({ key: path.join('.'), file, values });

  /** Names a group of texts by a constant or by a default of a parameter. A text is used there. */
  const declare = (target: unknown, path: Path, scope: Node): void => {
    if (!isNode(target)) return;
    if (target.type === 'Identifier' && !isText(textsAt(path) ?? '')) {
      locals.push({ name: nameOf(target), scope, path });
    } else if (target.type === 'ObjectPattern') {
      for (const property of childrenOf(target)) declare(property['value'], [...path, nameOf(property['key'])], scope);
    } else locals.push({ name: nameOf(target), scope, path });
  };

  const visit = (node: Node, scopes: readonly Node[]): void => {
    const scope = scopes.at(-1) ?? node;
    const target =
      node.type === 'VariableDeclarator' ? node['id'] : node.type === 'AssignmentPattern' ? node['left'] : undefined;
    const init = node['init'] ?? node['right'];
    const named = target === undefined ? [] : pathsOf(init, scopes);
    for (const path of named) declare(target, path, scope);
    if (named.length > 0) return;
    if (node.type === 'CallExpression' && nameOf(node['callee']) === 'fill') {
      const [text, values] = node['arguments'] as readonly Node[];
      const names = values === undefined ? [] : childrenOf(values).map((property) => nameOf(property['key']));
      const paths = pathsOf(text, scopes);
      for (const path of paths) use(path, names);
      for (const child of paths.length > 0 ? [values] : [text, values]) if (child !== undefined) visit(child, scopes);
      return;
    }
    const paths = pathsOf(node, scopes);
    for (const path of paths) use(path);
    if (paths.length > 0 && node.type !== 'ConditionalExpression') return;
    const inner = node.type.includes('Function') ? [...scopes, node] : scopes;
    for (const child of childrenOf(node)) visit(child, inner);
  };
  const program = parseSync(file, readFileSync(file, 'utf8')).program as unknown as Node;
  visit(program, [program]);
  return uses;
};

/** Returns the uses of texts in all sources of the console. */
export const usesOfTexts = (): readonly Use[] => globSync('lib/console/**/*.{ts,tsx}').toSorted().flatMap(usesIn);
