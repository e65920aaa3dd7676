import { parseArgs } from 'node:util';
import { suggestion } from '../../runtime/nearest.ts';

export type Option = {
  readonly type: 'boolean' | 'string';
  /** The placeholder of its value in the help text; absent for a switch. */
  readonly value?: string;
  readonly about: string;
};

/** A command of `npm run`, with the content of its help text. */
export type Command = {
  /** The command line: `npm start`. */
  readonly call: string;
  readonly about: string;
  readonly options: Readonly<Record<string, Option>>;
  /** The arguments that are not options; absent when the command has none. */
  readonly operands?: { readonly value: string; readonly about: string; readonly names?: readonly string[] };
  /** Text after the options in the help text. */
  readonly notes?: string;
};

export type Parsed =
  | {
      readonly kind: 'run';
      readonly values: Readonly<Record<string, string | true | undefined>>;
      readonly operands: readonly string[];
    }
  | { readonly kind: 'help'; readonly text: string }
  | { readonly kind: 'wrong'; readonly message: string };

const exitCodes = 'Exit codes: 0 ok, 1 failed, 2 usage error.';

const helpOption: Option = { type: 'boolean', about: 'Prints this help.' };

const shownOption = ([name, { value }]: readonly [string, Option]): string =>
  `--${name}${value === undefined ? '' : ` ${value}`}`;

/** Returns the help text of a command. */
const helpOf = ({ call, about, options, operands, notes }: Command): string => {
  const rows = [
    ...(operands === undefined ? [] : [[operands.value, operands.about] as const]),
    ...Object.entries({ ...options, help: helpOption }).map(
      ([name, option]) => [shownOption([name, option]), option.about] as const,
    ),
  ];
  const width = Math.max(...rows.map(([left]) => left.length)) + 2;
  const table = rows.map(([left, right]) => `  ${left.padEnd(width)}${right}`).join('\n');
  const usage = `Usage: ${call} -- [options]${operands === undefined ? '' : ` ${operands.value}`}`;
  return [about, usage, table, notes, exitCodes].filter((part) => part !== undefined).join('\n\n');
};

const list = (names: readonly string[]): string => names.join(', ');

/** Returns what is wrong with one option, in one sentence; undefined for a valid option. */
const optionError = (
  { options }: Command,
  token: { readonly name: string; readonly value?: string | undefined; readonly rawName: string },
): string | undefined => {
  const known = { ...options, help: helpOption };
  const option = Object.hasOwn(known, token.name) ? known[token.name as keyof typeof known] : undefined;
  const names = Object.keys(known);
  if (option === undefined) {
    const meant = suggestion(token.name, names, (name) => `--${name}`);
    return `Unknown option ${token.rawName}.${meant || ` There are ${list(names.map((name) => `--${name}`))}.`}`;
  }
  if (option.type === 'boolean' && token.value !== undefined) return `${token.rawName} takes no value.`;
  if (option.type === 'string' && (token.value === undefined || token.value === ''))
    return `${token.rawName} needs a value: ${shownOption([token.name, option])}`;
  return undefined;
};

const operandError = ({ operands, options }: Command, operand: string): string | undefined => {
  if (operands === undefined)
    return `Unexpected argument ${operand}.${suggestion(operand, Object.keys(options), (name) => `--${name}`)}`;
  const { names } = operands;
  if (names === undefined || names.includes(operand)) return undefined;
  return `Unknown name ${operand}.${suggestion(operand, names) || ` There are ${list(names)}.`}`;
};

/**
 * Parses the arguments of a command.
 *
 * @returns the values by option (`true` for a switch), the help text, or the first error in one sentence
 */
export const parseCommandLine = (command: Command, args: readonly string[]): Parsed => {
  const options = Object.fromEntries(
    Object.entries({ ...command.options, help: helpOption }).map(([name, { type }]) => [name, { type }]),
  );
  const { values, positionals, tokens } = parseArgs({
    args: [...args],
    options,
    strict: false,
    allowPositionals: true,
    tokens: true,
  });
  if (values['help'] === true) return { kind: 'help', text: helpOf(command) };
  for (const token of tokens) {
    const error =
      token.kind === 'option'
        ? optionError(command, token)
        : token.kind === 'positional'
          ? operandError(command, token.value)
          : undefined;
    if (error !== undefined) return { kind: 'wrong', message: error };
  }
  // All values are checked: a switch is true, and an option with a value has one.
  return { kind: 'run', values: values as Record<string, string | true>, operands: positionals };
};

/** The exit code of a usage error. */
const usageError = 2;

/** Ends a command with a usage error: prints one sentence and exits with code 2. */
export const endWithUsageError = ({ call }: Command, message: string): never => {
  console.error(`${message}\nSee ${call} -- --help.`);
  process.exit(usageError);
};

/** Parses the arguments of this process. Exits after it has printed the help text or an error. */
export const readCommandLine = (command: Command): Extract<Parsed, { kind: 'run' }> => {
  const parsed = parseCommandLine(command, process.argv.slice(2));
  if (parsed.kind === 'run') return parsed;
  if (parsed.kind === 'wrong') return endWithUsageError(command, parsed.message);
  console.log(parsed.text);
  return process.exit(0);
};
