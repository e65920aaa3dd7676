import { randomUUID } from 'node:crypto';
import { Argument, type Command, InvalidArgumentError, Option } from 'commander';
import { hasBody } from '../../contract/operation.ts';
import { newTraceId } from '../../runtime/new-ids.ts';
import type { JsonObject } from '../../runtime/json.ts';
import { written } from './command-names.ts';
import { confirm, effectOf } from './confirm.ts';
import type { Call, CallSettings } from './run/connection.ts';
import { exitCodes } from '../command-line/exit-codes.ts';
import { fieldOption, firstSentence, parseField } from './field-options.ts';
import type { OperationInfo } from './catalogue.ts';
import { buildInput, readBody } from './request-input.ts';
import { runOperation } from './run/operation.ts';
import { type Runner, type Session, usageError, withConnection } from './session.ts';

/** The options of a command besides the fields of its operation. */
export type OperationOptions = {
  readonly body?: string;
  readonly dryRun?: true;
  readonly ifMatch?: number;
  readonly key?: string;
  readonly language?: string;
  readonly admin?: true;
  readonly limit?: number;
  readonly all?: true;
  readonly wait?: boolean;
  readonly out?: string;
};

/** The number of items that a list prints without `--limit` and `--all`. */
const defaultLimit = 50;

const wholeNumber = (value: string): number => {
  if (!/^\d{1,9}$/.test(value)) throw new InvalidArgumentError('It must be a whole number.');
  return Number(value);
};

/** What an operation can do, as far as options depend on it. */
export type Abilities = {
  readonly body: boolean;
  readonly dryRun: boolean;
  readonly ifMatch: 'ignored' | 'optional' | 'required';
  readonly key: boolean;
  readonly language: boolean;
  readonly admin: boolean;
  readonly all: boolean;
  readonly wait: boolean;
  readonly out: boolean;
};

/** Returns what an operation can do. */
export const abilitiesOf = ({ operation, body, flow }: OperationInfo): Abilities => {
  const { ifMatch } = operation;
  return {
    body: hasBody(operation) && body.length > 0,
    dryRun: operation.dryRun,
    ifMatch: ifMatch === 'ignored' || ifMatch === 'optional' ? ifMatch : 'required',
    key: operation.idempotencyKey,
    language: operation.localized === true,
    admin: operation.scope === 'returns:write',
    all: flow === 'list',
    wait: flow === 'job',
    out: operation.name === 'createExport',
  };
};

/** Adds the options that depend on what the operation can do. */
export const addOperationOptions = (command: Command, can: Abilities): void => {
  if (can.body) command.option('--body <file>', 'Reads the JSON of the request from a file, or from stdin with `-`.');
  if (can.dryRun) command.option('--dry-run', 'Runs all checks, and stores nothing.');
  if (can.ifMatch !== 'ignored') {
    const about = 'The version that you last read; 0 where nothing must exist.';
    const option = new Option('--if-match <version>', about).argParser(wholeNumber);
    command.addOption(option.makeOptionMandatory(can.ifMatch === 'required'));
  }
  if (can.key) command.option('--key <key>', 'The idempotency key; a new one by default.');
  if (can.language) command.option('--language <tags>', 'The languages of texts, such as pt-BR.');
  if (can.admin) command.option('--admin', 'Also requests the scope returns:admin, which some overrides need.');
  if (can.all) {
    command.addOption(
      new Option('--limit <number>', 'The maximum number of items to print.')
        .argParser(wholeNumber)
        .default(defaultLimit),
    );
    command.option('--all', 'Prints all items.');
  }
  if (can.wait) command.option('--no-wait', 'Does not wait for the end of the job.');
  if (can.out) command.option('--out <folder>', 'The folder for the files.', '.');
};

/** Everything that one run of an operation needs. */
export type OperationRequest = {
  readonly info: OperationInfo;
  readonly params: readonly unknown[];
  readonly fields: JsonObject;
  readonly options: OperationOptions;
};

const callSettings = ({ info, options }: OperationRequest, { options: common, signal }: Session): CallSettings => {
  const { idempotencyKey } = info.operation;
  const key = options.key ?? (idempotencyKey && options.dryRun !== true ? randomUUID() : undefined);
  return {
    signal,
    traceId: newTraceId(),
    ...(common.onBehalfOf === undefined ? {} : { onBehalfOf: common.onBehalfOf }),
    ...(options.admin === true ? { admin: true } : {}),
    ...(options.dryRun === true ? { dryRun: true } : {}),
    ...(options.ifMatch === undefined ? {} : { ifMatch: options.ifMatch }),
    ...(options.language === undefined ? {} : { acceptLanguage: options.language }),
    ...(key === undefined ? {} : { idempotencyKey: key }),
  };
};

const limitOf = ({ info: { flow }, fields, options }: OperationRequest): number | undefined => {
  if (flow === 'list') return options.all === true ? undefined : options.limit;
  return typeof fields['limit'] === 'number' ? fields['limit'] : undefined;
};

/** Asks for the confirmation of a command with a wide effect. Undefined: it may run. */
const rejectUnconfirmed = async (request: OperationRequest, session: Session): Promise<number | undefined> => {
  const effect = effectOf(request.info);
  const canTry = request.info.operation.dryRun;
  const { terminal, options, signal } = session;
  if (effect === undefined || options.yes === true || request.options.dryRun === true) return undefined;
  if (!terminal.isInteractive || request.options.body === '-')
    return usageError(session, `${effect} Confirm it with --yes${canTry ? ', or try it with --dry-run' : ''}.`);
  if (await confirm(terminal, effect, signal)) return undefined;
  terminal.note('Nothing was sent.');
  return exitCodes.failed;
};

/** Runs an operation with the values of a command line. */
export const runRequest = async (request: OperationRequest, session: Session): Promise<number> => {
  const { info, params, fields, options } = request;
  const body =
    options.body === undefined ? undefined : await readBody(options.body, session.terminal.stdin, session.signal);
  if (body?.ok === false) return usageError(session, body.failure);
  const input = buildInput(info, { params, fields, body: body?.value });
  if (!input.ok) return usageError(session, input.failure);
  const rejected = await rejectUnconfirmed(request, session);
  if (rejected !== undefined) return rejected;
  const settings = callSettings(request, session);
  if (session.options.verbose === true) session.terminal.note(`${info.operation.name}, trace ${settings.traceId}`);
  return withConnection(session, (call: Call) =>
    runOperation({
      ...session,
      info,
      call,
      settings,
      input: input.value,
      limit: limitOf(request),
      wait: options.wait ?? true,
      out: options.out ?? '.',
      yes: session.options.yes === true,
    }),
  );
};

/** The fields that are options: a list manages its pages itself. */
const optionFields = ({ flow, query, body }: OperationInfo) =>
  [...query, ...body].filter(({ name }) => flow !== 'list' || name !== 'limit');

/** Returns a description of the API with the options that this command has for its headers. */
const inOptions = (description: string): string =>
  description
    .replaceAll('`If-None-Match: *`', '`--if-match 0`')
    .replaceAll(/`?If-Match`?/g, '`--if-match`')
    .replaceAll('`Idempotency-Key`', '`--key`')
    .replaceAll('ETag', 'version')
    .replaceAll('of these headers', 'of these options');

/** Adds the command of an operation: arguments from its path, options from its query and its body. */
export const addOperationCommand = (
  parent: Command,
  name: string,
  info: OperationInfo,
  choose: (runner: Runner) => void,
): Command => {
  const { operation, params, description } = info;
  const command = parent
    .command(name)
    .summary(operation.summary)
    .description(`${operation.summary}.\n\n${inOptions(description)}`);
  for (const field of params)
    command.addArgument(
      new Argument(`<${written(field.name)}>`, firstSentence(field.about)).argParser((value: string) =>
        parseField(field, value),
      ),
    );
  const options = optionFields(info).map((field) => ({ field, option: fieldOption(field) }));
  for (const { option } of options) command.addOption(option);
  addOperationOptions(command, abilitiesOf(info));
  return command.action((...args: unknown[]) => {
    const given: Readonly<Record<string, unknown>> = command.opts();
    const fields = Object.fromEntries(
      options.flatMap(({ field, option }) => {
        const value = given[option.attributeName()];
        return value === undefined ? [] : [[field.name, value]];
      }),
    );
    const request = { info, params: args.slice(0, params.length), fields, options: given as OperationOptions };
    choose((session) => runRequest(request, session));
  });
};
