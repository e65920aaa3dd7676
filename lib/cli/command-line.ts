import { parseArgs } from 'node:util';
import { suggestion } from '../runtime/nearest.ts';

export type Option = {
  readonly type: 'boolean' | 'string';
  /** The placeholder of its value in the help; absent for a switch. */
  readonly value?: string;
  readonly about: string;
};

/** A command as `npm run` knows it, with all that its help says. */
export type Command = {
  /** How it is called: `npm start`. */
  readonly call: string;
  readonly about: string;
  readonly options: Readonly<Record<string, Option>>;
  /** The arguments that are not options; absent where the command takes none. */
  readonly operands?: { readonly value: string; readonly about: string; readonly names?: readonly string[] };
  /** What follows the options in the help. */
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

const exitCodes = 'Exit codes: 0 ok, 1 it failed, 2 usage error.';

const helpOption: Option = { type: 'boolean', about: 'Shows this help.' };

const shownOption = ([name, { value }]: readonly [string, Option]): string =>
  `--${name}${value === undefined ? '' : ` ${value}`}`;

/** The help of a command. */
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

/** What is wrong with one option, in one sentence; undefined when nothing is. */
const optionFault = (
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

const operandFault = ({ operands, options }: Command, operand: string): string | undefined => {
  if (operands === undefined)
    return `Unexpected argument ${operand}.${suggestion(operand, Object.keys(options), (name) => `--${name}`)}`;
  const { names } = operands;
  if (names === undefined || names.includes(operand)) return undefined;
  return `Unknown name ${operand}.${suggestion(operand, names) || ` There are ${list(names)}.`}`;
};

/**
 * Reads the arguments of a command.
 *
 * @returns the values by option (`true` for a switch), the help that was asked for, or the first fault in one sentence
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
    const fault =
      token.kind === 'option'
        ? optionFault(command, token)
        : token.kind === 'positional'
          ? operandFault(command, token.value)
          : undefined;
    if (fault !== undefined) return { kind: 'wrong', message: fault };
  }
  // Every value was looked at: a switch is true, and an option that takes a value has one.
  return { kind: 'run', values: values as Record<string, string | true>, operands: positionals };
};

/** The exit code of a command that was not called as it can be. */
const usageError = 2;

/** Ends a command that cannot do what it is asked for: one sentence, and exit code 2. */
export const endWithUsageError = ({ call }: Command, message: string): never => {
  console.error(`${message}\nSee ${call} -- --help.`);
  process.exit(usageError);
};

/** The arguments of this process. Prints the help or the fault, and ends the process then. */
export const readCommandLine = (command: Command): Extract<Parsed, { kind: 'run' }> => {
  const parsed = parseCommandLine(command, process.argv.slice(2));
  if (parsed.kind === 'run') return parsed;
  if (parsed.kind === 'wrong') return endWithUsageError(command, parsed.message);
  console.log(parsed.text);
  return process.exit(0);
};
