import { type Command, InvalidArgumentError } from 'commander';
import { suggestion } from '../../runtime/nearest.ts';
import { written } from './command-names.ts';
import { parseField } from './field-options.ts';
import {
  abilitiesOf,
  type Abilities,
  addOperationOptions,
  type OperationOptions,
  runRequest,
} from './operation-command.ts';
import type { Catalogue, Field, OperationInfo } from './catalogue.ts';
import { type Runner, usageError } from './session.ts';

/* `returns call <operation>`: any operation by the name that it has in the API reference. */

type Given = readonly [name: string, value: string];

const splitField = (text: string, previous: unknown): readonly Given[] => {
  const at = text.indexOf('=');
  if (at < 1) throw new InvalidArgumentError('It must be name=value.');
  return [...(Array.isArray(previous) ? (previous as Given[]) : []), [text.slice(0, at), text.slice(at + 1)]];
};

/** Parses the values of fields, or returns the error in one sentence. */
const parseGiven = (
  { params, query, body }: OperationInfo,
  given: readonly Given[],
): { readonly values: Readonly<Record<string, unknown>> } | { readonly error: string } => {
  const fields = new Map([...params, ...query, ...body].map((field): [string, Field] => [field.name, field]));
  const values: Record<string, unknown> = {};
  for (const [name, text] of given) {
    const field = fields.get(name);
    if (field === undefined) return { error: `Unknown field ${name}.${suggestion(name, [...fields.keys()])}` };
    try {
      const value = parseField(field, text);
      const before = values[name];
      values[name] = field.kind === 'texts' ? [...(Array.isArray(before) ? before : []), value] : value;
    } catch (error) {
      if (!(error instanceof InvalidArgumentError)) throw error;
      return { error: `The field ${name} is invalid. ${error.message}` };
    }
  }
  return { values };
};

/** Returns what any of the operations can do. The options are checked when the operation is known. */
const sharedAbilities = (offered: readonly OperationInfo[]): Abilities => {
  const abilities = offered.map(abilitiesOf);
  const has = (ability: Exclude<keyof Abilities, 'ifMatch'>): boolean => abilities.some((can) => can[ability]);
  return {
    body: has('body'),
    dryRun: has('dryRun'),
    ifMatch: abilities.some(({ ifMatch }) => ifMatch !== 'ignored') ? 'optional' : 'ignored',
    key: has('key'),
    language: has('language'),
    admin: has('admin'),
    all: has('all'),
    wait: has('wait'),
    out: has('out'),
  };
};

/** Returns an option that the operation does not take. Options with a default value have no effect there. */
const unusable = (info: OperationInfo, options: OperationOptions): string | undefined => {
  const can = abilitiesOf(info);
  const names = ['body', 'dryRun', 'ifMatch', 'key', 'language', 'admin', 'all'] as const;
  return names.find((name) => options[name] !== undefined && (can[name] === false || can[name] === 'ignored'));
};

const runnerOf =
  (info: OperationInfo, given: readonly Given[], options: OperationOptions): Runner =>
  async (session) => {
    const parsed = parseGiven(info, given);
    if ('error' in parsed) return usageError(session, parsed.error);
    const { name } = info.operation;
    const missing = info.params.find((field) => parsed.values[field.name] === undefined);
    if (missing !== undefined) return usageError(session, `${name} needs --field ${missing.name}=<value>.`);
    if (abilitiesOf(info).ifMatch === 'required' && options.ifMatch === undefined)
      return usageError(session, `${name} needs --if-match <version>.`);
    const idle = unusable(info, options);
    if (idle !== undefined) return usageError(session, `${name} does not take --${written(idle)}.`);
    const params = info.params.map((field) => parsed.values[field.name]);
    return runRequest({ info, params, fields: parsed.values, options }, session);
  };

/** Returns the error of an operation that the contract has and the service does not offer. */
export const notOfferedError = (name: string, { offered }: Catalogue): string =>
  `operation_not_offered: this service does not offer ${name}. It offers ${offered.map(({ operation }) => operation.name).join(', ')}.`;

/** Adds the command that calls any operation by its name. */
export const addCallCommand = (parent: Command, catalogue: Catalogue, choose: (runner: Runner) => void): void => {
  const { offered, notOffered } = catalogue;
  const command = parent
    .command('call')
    .argument('<operation>', 'The name of the operation, such as getReturn.')
    .summary('Call any operation by its name')
    .description('Calls any operation of the API by its name.')
    .option(
      '--field <name=value>',
      'A field of path, query or body. Repeat the option for several fields.',
      splitField,
    );
  addOperationOptions(command, sharedAbilities(offered));
  command.action((name: string) => {
    const info = offered.find(({ operation }) => operation.name === name);
    const { field = [], ...options } = command.opts<OperationOptions & { readonly field?: readonly Given[] }>();
    if (info !== undefined) return choose(runnerOf(info, field, options));
    if (notOffered.some((operation) => operation.name === name))
      return choose(async (session) => usageError(session, notOfferedError(name, catalogue)));
    const names = offered.map(({ operation }) => operation.name);
    return command.error(`error: unknown operation '${name}'${suggestion(name, names)}`, {
      code: 'commander.unknownCommand',
    });
  });
};
