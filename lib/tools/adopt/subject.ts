import type { Description } from './description.ts';
import { type Fields, fieldsOf, listItem, wordsOfSchema } from './fields.ts';
import { wordsOf } from './names.ts';
import type { Place } from './pointer.ts';
import { otherStateWords, returnWords, stateWords, wrapperWords } from './vocabulary.ts';

/* Finds the return in the body of an answer, and what the core needs in it. */

export type Step = { readonly name: string; readonly isOptional: boolean };

/** A value in a body: the members that lead to it, and its schema. */
export type Subject = { readonly steps: readonly Step[]; readonly schema: Place };

const maxLevels = 3;

const isWrapper = (name: string, { resourceWords }: Description): boolean => {
  const words = wordsOf(name);
  return words.some((word) => returnWords.has(word) || resourceWords.has(word)) || wrapperWords.has(words.join(''));
};

const isState = (name: string): boolean => {
  const words = wordsOf(name);
  return stateWords.has(words.at(-1) ?? '') && !words.some((word) => otherStateWords.has(word));
};

const below = (step: Step, { steps, schema }: Subject): Subject => ({ steps: [step, ...steps], schema });

/** Finds the object that is a return: the body, or a member of it that wraps the return. */
export const returnIn = (description: Description, body: Place, level = 0): Subject => {
  const { root } = description;
  const fields = fieldsOf(root, body);
  const inner = [...fields].find(
    ([name, { schema }]) =>
      isWrapper(name, description) && listItem(root, schema) === undefined && fieldsOf(root, schema).size > 0,
  );
  if (level >= maxLevels || inner === undefined || [...fields.keys()].some(isState)) return { steps: [], schema: body };
  const [name, { schema, isOptional }] = inner;
  return below({ name, isOptional }, returnIn(description, schema, level + 1));
};

const listsIn = (root: unknown, fields: Fields): Fields =>
  new Map([...fields].filter(([, { schema }]) => listItem(root, schema) !== undefined));

/** Finds the list of returns in a body; undefined without a list. `schema` is the one of an item. */
export const returnsIn = (description: Description, body: Place, level = 0): Subject | undefined => {
  const { root } = description;
  const item = listItem(root, body);
  if (item !== undefined) return { steps: [], schema: item };
  if (level > maxLevels) return undefined;
  const fields = fieldsOf(root, body);
  const lists = listsIn(root, fields);
  const list =
    [...lists].find(([name]) => isWrapper(name, description)) ?? (lists.size === 1 ? [...lists][0] : undefined);
  const inner =
    list ?? [...fields].find(([name, { schema }]) => isWrapper(name, description) && fieldsOf(root, schema).size > 0);
  if (inner === undefined) return undefined;
  const [name, { schema, isOptional }] = inner;
  const found = returnsIn(description, schema, level + 1);
  return found && below({ name, isOptional }, found);
};

/** The field with the state, and its words. */
export type StateField = { readonly name: string; readonly words: readonly string[] };

/** Finds the field with the state of an object. A field with words comes first, then the shortest name. */
export const stateIn = (root: unknown, fields: Fields): StateField | undefined =>
  [...fields]
    .filter(([name]) => isState(name))
    .map(([name, { schema }]) => ({ name, words: wordsOfSchema(root, schema) }))
    .toSorted((a, b) => Math.sign(b.words.length) - Math.sign(a.words.length) || a.name.length - b.name.length)[0];

/** Finds the field that the best of some patterns names. */
export const fieldIn = (fields: Fields, patterns: readonly RegExp[]): string | undefined => {
  for (const pattern of patterns)
    for (const name of fields.keys()) if (pattern.test(wordsOf(name).join(''))) return name;
  return undefined;
};

/** Finds the list of lines of a return. A list such as `notReturnableItems` has other lines. */
export const linesIn = (root: unknown, fields: Fields, patterns: readonly RegExp[]): string | undefined =>
  fieldIn(new Map([...listsIn(root, fields)].filter(([name]) => !wordsOf(name).includes('not'))), patterns);
