import { parseArgs } from 'node:util';
import { fail, ok, type Result } from '../../runtime/result.ts';
import { accessVariable } from '../../runtime/configuration/access-settings.ts';
import { accessSettingNames } from '../../runtime/service-access.ts';
import { modes, type Mode } from './mode.ts';

/** The variables that options replace. The option of SERVICE_URL is --service-url. */
const variables = ['SERVICE_URL', 'AUTH_URL', 'CLIENT_SECRET_ID', ...accessSettingNames().map(accessVariable)];

const optionOf = (variable: string): string => variable.toLowerCase().replaceAll('_', '-');

const replacements = variables
  .map((variable) => `  ${`--${optionOf(variable)} <text>`.padEnd(32)} replaces ${variable}`)
  .join('\n');

export const usage = `npm run doctor -- [options]

Checks a deployment against its real endpoints: table, queues, inbox and platforms. The connected mode adds the access to
the Returns Service: configuration, secret, certificate, token, API. The standalone mode adds webhook endpoints.
It reads the variables of the functions. A check without its variable does not apply.

  --mode <mode>                    connected (default) or standalone
${replacements}
  --stack [file]                   checks the running local stack (npm start); default .local/stack.json
  --json                           prints the report as JSON
  --help                           prints this help

Exit codes: 0 no check failed, 1 a check failed, 2 usage error.`;

export type Arguments = {
  readonly mode: Mode;
  /** The variables that options replace, with their values. */
  readonly replaced: Readonly<Record<string, string>>;
  /** The file that a local stack writes about itself. */
  readonly stack: string | undefined;
  readonly json: boolean;
  readonly help: boolean;
};

const options = {
  mode: { type: 'string', default: 'connected' },
  stack: { type: 'string' },
  json: { type: 'boolean', default: false },
  help: { type: 'boolean', default: false },
} as const;

/** Adds the default file to `--stack`: parseArgs has no option with an optional value. */
const withStackFile = (args: readonly string[]): string[] =>
  args.map((arg, index) => {
    const next = args[index + 1];
    return arg === '--stack' && (next === undefined || next.startsWith('-')) ? '--stack=.local/stack.json' : arg;
  });

/** Parses the command line, or explains the usage error. */
export const parseArguments = (args: readonly string[]): Result<Arguments, string> => {
  try {
    const texts = Object.fromEntries(variables.map((name) => [optionOf(name), { type: 'string' }] as const));
    const { values } = parseArgs({ args: withStackFile(args), options: { ...options, ...texts } });
    const { stack, json, help } = values;
    const mode = modes.find((known) => known === values.mode);
    if (mode === undefined) return fail(`--mode must be ${modes.join(' or ')}.`);
    const given: Readonly<Record<string, unknown>> = values;
    const replaced = Object.fromEntries(
      variables.flatMap((name): [string, string][] => {
        const value = given[optionOf(name)];
        return typeof value === 'string' ? [[name, value]] : [];
      }),
    );
    return ok({ mode, replaced, stack, json, help });
  } catch (error) {
    return fail(error instanceof Error ? error.message : String(error));
  }
};
