import { InvalidArgumentError, Option } from 'commander';
import { suggestion } from '../../runtime/nearest.ts';
import { parseJson } from '../../runtime/json.ts';
import { written } from './command-names.ts';
import type { Field } from './catalogue.ts';

/** The options that every command has, or that mean the same on each command that has them. */
const commonOptions: ReadonlySet<string> = new Set([
  'profile',
  'service-url',
  'auth-url',
  'token-path',
  'client-id',
  'client-secret-file',
  'secret-id',
  'json',
  'verbose',
  'timeout',
  'on-behalf-of',
  'yes',
  'help',
  'version',
  'body',
  'dry-run',
  'if-match',
  'key',
  'language',
  'admin',
  'all',
  'wait',
  'out',
]);

/** Returns the option of a field. A field with the name of a common option is `--body-<field>`. */
export const optionName = ({ name }: Pick<Field, 'name'>): string => {
  const plain = written(name);
  return commonOptions.has(plain) ? `body-${plain}` : plain;
};

const list = (names: readonly string[]): string => (names.length > 12 ? '' : ` Possible values: ${names.join(', ')}.`);

const checkText = ({ choices, pattern, expected }: Field, value: string): string => {
  if (choices !== undefined && !choices.includes(value))
    throw new InvalidArgumentError((suggestion(value, choices) || list(choices)).trim());
  if (pattern !== undefined && !new RegExp(pattern, 'u').test(value))
    throw new InvalidArgumentError(`It must be ${expected ?? `a text that matches ${pattern}`}.`);
  return value;
};

const parseNumber = ({ minimum, maximum }: Field, value: string): number => {
  const number = Number(value);
  if (!/^-?\d+(\.\d+)?$/.test(value)) throw new InvalidArgumentError('It must be a number.');
  if (minimum !== undefined && number < minimum) throw new InvalidArgumentError(`It must be at least ${minimum}.`);
  if (maximum !== undefined && number > maximum) throw new InvalidArgumentError(`It must be at most ${maximum}.`);
  return number;
};

const parseBoolean = (value: string): boolean => {
  if (value !== 'true' && value !== 'false') throw new InvalidArgumentError('It must be true or false.');
  return value === 'true';
};

const parseValue = (value: string): unknown => {
  const parsed = parseJson(value);
  if (parsed === undefined) throw new InvalidArgumentError('It must be JSON.');
  return parsed;
};

/**
 * Parses a value of a field.
 *
 * @throws {InvalidArgumentError} that says what the value must be
 */
export const parseField = (field: Field, value: string): unknown => {
  switch (field.kind) {
    case 'number':
      return parseNumber(field, value);
    case 'boolean':
      return parseBoolean(value);
    case 'json':
      return parseValue(value);
    case 'text':
    case 'texts':
      return checkText(field, value);
  }
};

const placeholders: Readonly<Record<Field['kind'], string>> = {
  text: 'text',
  texts: 'text…',
  number: 'number',
  boolean: 'true|false',
  json: 'json',
};

/** Returns the first sentence of a description, for the line of an option. */
export const firstSentence = (text: string): string => /^[^]*?[.](?=\s|$)/.exec(text)?.[0] ?? text;

/** Longer descriptions are in the reference. */
const maxAbout = 200;

const aboutOf = ({ about, kind }: Field): string =>
  `${about.length > maxAbout ? firstSentence(about) : about}${kind === 'texts' ? ' Repeat the option for several values.' : ''}`;

/** Returns the option of a field of the query or the body. An option of several texts collects its values. */
export const fieldOption = (field: Field): Option => {
  const option = new Option(`--${optionName(field)} <${placeholders[field.kind]}>`, aboutOf(field));
  if (field.kind === 'boolean') option.choices(['true', 'false']);
  else if (field.choices !== undefined) option.choices(field.choices);
  return option.argParser((value: string, previous: unknown) =>
    field.kind === 'texts'
      ? [...(Array.isArray(previous) ? previous : []), parseField(field, value)]
      : parseField(field, value),
  );
};
