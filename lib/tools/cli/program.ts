import { Command, InvalidArgumentError, Option } from 'commander';
import { addCallCommand, notOfferedError } from './call-command.ts';
import { commandName, written } from './command-names.ts';
import { exitCodesText } from '../command-line/exit-codes.ts';
import { addOperationCommand } from './operation-command.ts';
import type { Catalogue, OperationInfo } from './catalogue.ts';
import { safeLines } from './output/safe-text.ts';
import { type CommonOptions, type Runner, usageError } from './session.ts';
import type { Terminal } from './output/terminal.ts';
import { addTools, addVerify } from './tool-commands.ts';

/** What the commands of a group are about, in its help. */
export const aboutGroups: Readonly<Record<string, string>> = {
  orders: 'Orders and their returnable units',
  policies: 'Policies: write, lint, test, backtest, publish',
  decisions: 'Decisions of policies',
  reasons: 'Reasons for returns',
  events: 'Events in their order',
  endpoints: 'Webhook endpoints and their deliveries',
  inbox: 'Webhook deliveries of shops',
  'bulk-commands': 'One command on many returns',
  jobs: 'Exports, erasures and backtests',
  withdrawals: 'Withdrawals of consumers from their contracts',
  'write-back': 'What shops are asked to do, and the setting of each platform',
  users: 'People who sign in to the console',
  'dead-letters': 'Messages that no worker could process',
};

const reserved: ReadonlySet<string> = new Set([
  'call',
  'profiles',
  'doctor',
  'verify',
  'import',
  'webhooks',
  'secrets',
  'completion',
  'help',
]);

const seconds = (value: string): number => {
  const number = Number(value);
  if (!/^\d+(\.\d+)?$/.test(value) || number <= 0 || number > 3_600)
    throw new InvalidArgumentError('It must be a number of seconds, at most 3600.');
  return number;
};

const addCommonOptions = (program: Command, hasHistory: boolean): void => {
  program
    .option('--profile <name>', 'The profile of a stage; see `returns profiles`.')
    .option('--service-url <url>', 'The address of the service, without /v1.')
    .option('--auth-url <url>', 'The address of the token issuer.')
    .option('--token-path <path>', 'The path of the token endpoint.')
    .option('--client-id <id>', 'The id of the client.')
    .option('--client-secret-file <file>', 'A file with the secret of the client, with the mode 0600.')
    .option('--secret-id <name>', 'A secret of AWS Secrets Manager with the credentials.')
    .option('--json', 'Prints JSON: one document, or one line for each item of a list.')
    .option('--verbose', 'Prints the access to the service on stderr. It prints no secret.')
    .addOption(new Option('--timeout <seconds>', 'The time limit of a call; 30 by default.').argParser(seconds))
    .option('--yes', 'Confirms a command that asks, and replaces files.');
  if (hasHistory)
    program.option('--on-behalf-of <name>', 'The person or system that you act for. The history stores it.');
};

/** Where the command of an operation is added, and its name there. */
const placeOf = (program: Command, operation: Pick<OperationInfo['operation'], 'name' | 'path'>, hidden: boolean) => {
  const { group, name } = commandName(operation);
  const parent =
    group === undefined
      ? program
      : (program.commands.find((command) => command.name() === group) ??
        program
          .command(group, { hidden })
          .description(aboutGroups[group] ?? group)
          .helpGroup('Resources:'));
  const isTaken = reserved.has(name) || parent.commands.some((command) => command.name() === name);
  return { group, parent, name: isTaken ? written(operation.name) : name };
};

/** Adds the command of each operation, in groups by resource. */
const addOperations = (program: Command, { offered }: Catalogue, choose: (runner: Runner) => void): void => {
  for (const info of offered) {
    const { group, parent, name } = placeOf(program, info.operation, false);
    const command = addOperationCommand(parent, name, info, choose);
    const isOfReturn = info.operation.path.startsWith('/returns/');
    if (group === undefined) command.helpGroup(isOfReturn ? 'Commands of a return:' : 'Returns and statistics:');
  }
};

/** Adds a command for each operation that the service does not offer. It is in no help, and sends nothing. */
const addNotOffered = (program: Command, catalogue: Catalogue, choose: (runner: Runner) => void): void => {
  for (const operation of catalogue.notOffered) {
    const { parent, name } = placeOf(program, operation, true);
    parent
      .command(name, { hidden: true })
      .helpOption(false)
      .argument('[values...]')
      .allowUnknownOption()
      .action(() => choose(async (session) => usageError(session, notOfferedError(operation.name, catalogue))));
  }
};

export type Parsed = {
  readonly runner: Runner;
  readonly options: CommonOptions;
};

/**
 * Builds the commands and parses arguments. It sends nothing and reads no file.
 *
 * @throws {CommanderError} after it has printed help, the version, or a usage error with the nearest name
 */
export const parseArguments = (
  args: readonly string[],
  { catalogue, version }: { readonly catalogue: Catalogue; readonly version: string },
  { stdout, stderr, width, colours }: Pick<Terminal, 'stdout' | 'stderr' | 'width' | 'colours'>,
): Parsed => {
  let chosen: Runner | undefined;
  const choose = (runner: Runner) => void (chosen = runner);
  const program = new Command('returns');
  program
    .description('Works with a returns service.')
    .version(version, '--version', 'Prints the version.')
    .helpOption('-h, --help', 'Prints help for a command.')
    .configureHelp({ showGlobalOptions: true })
    .configureOutput({
      writeOut: (text) => void stdout.write(text),
      writeErr: (text) => void stderr.write(safeLines(text)),
      getOutHelpWidth: () => width ?? 100,
      getErrHelpWidth: () => width ?? 100,
      getOutHasColors: () => colours,
      getErrHasColors: () => false,
    })
    .exitOverride()
    .showHelpAfterError('returns --help lists the commands. returns call <operation> calls an operation of the API.')
    .addHelpText('after', `\n${exitCodesText}`);
  // No service behind an adapter has our history: its deployment rejects the name of another person.
  const hasHistory = catalogue.offered.some(({ operation }) => operation.name === 'getHistory');
  addCommonOptions(program, hasHistory);
  addOperations(program, catalogue, choose);
  addNotOffered(program, catalogue, choose);
  addCallCommand(program, catalogue, choose);
  addTools(program, catalogue.offered, choose);
  if (hasHistory) addVerify(program, choose);
  program.parse([...args], { from: 'user' });
  if (chosen === undefined) throw new Error('the program has a command without an action');
  return { runner: chosen, options: program.opts<CommonOptions>() };
};
