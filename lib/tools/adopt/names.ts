/* Names of the description reach TypeScript and Markdown only through this file. */

const maxName = 60;

/** Returns the words of a name in lower case, without accents: `Devoluções-de_pedido` has devolucoes, de, pedido. */
export const wordsOf = (name: string): readonly string[] =>
  name
    .slice(0, 200)
    .normalize('NFD')
    .replaceAll(/\p{M}/gu, '')
    .replaceAll('ß', 'ss')
    .replaceAll(/([a-z0-9])([A-Z])/g, '$1 $2')
    .replaceAll(/([A-Z])([A-Z][a-z])/g, '$1 $2')
    .toLowerCase()
    .split(/[^a-z0-9]+/)
    .filter((word) => word !== '');

const capital = (word: string): string => `${word.charAt(0).toUpperCase()}${word.slice(1)}`;

/** Names that TypeScript, the generated files or Node define. */
const reservedTypes: ReadonlySet<string> = new Set(
  `Adapter Array Boolean Date Error ForeignAnswer Function Head Infinity Map NaN NonNullable Number Object Offered OurReturn Promise
  ReadonlyArray Readonly Record RegExp Service Set State String Symbol`.split(/\s+/),
);

/** Makes an identifier in Pascal case from any text. */
export const typeName = (text: string): string => {
  const ascii = text.slice(0, 200).normalize('NFD').replaceAll(/\p{M}/gu, '');
  const name = ascii
    .split(/[^A-Za-z0-9]+/)
    .map(capital)
    .join('')
    .slice(0, maxName);
  const safe = /^[A-Z]/.test(name) ? name : `Schema${name}`;
  return reservedTypes.has(safe) ? `${safe}Model` : safe;
};

/** Returns a name that is not in the set, and adds it. */
export const uniqueName = (taken: Set<string>, name: string): string => {
  let unique = name;
  for (let number = 2; taken.has(unique); number += 1) unique = `${name}${number}`;
  taken.add(unique);
  return unique;
};

const isIdentifier = (name: string): boolean => /^[A-Za-z_$][\w$]{0,99}$/.test(name);

/** Returns a string literal. JSON is TypeScript, except that its lines may not break at U+2028 in old parsers. */
export const literal = (text: string): string =>
  JSON.stringify(text)
    .replaceAll('\u2028', String.raw`\u2028`)
    .replaceAll('\u2029', String.raw`\u2029`);

/** Returns a member name of a type. */
export const memberName = (name: string): string => (isIdentifier(name) ? name : literal(name));

/** Returns a member name of an object. `__proto__` without brackets would set its prototype. */
export const keyOf = (name: string): string => (name === '__proto__' ? '["__proto__"]' : memberName(name));

/** Returns the access to a member: `.name`, `?.name` or `["a name"]`. */
export const access = (name: string, isOptional: boolean): string =>
  isIdentifier(name) ? `${isOptional ? '?' : ''}.${name}` : `${isOptional ? '?.' : ''}[${literal(name)}]`;

/** Returns text that is safe in Markdown: a code span of plain characters. */
export const shown = (text: string): string =>
  `\`${text.slice(0, 120).replaceAll(/[^A-Za-z0-9 ._~:/{}@+,;=()#-]/g, '?') || ' '}\``;
