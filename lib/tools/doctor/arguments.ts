import { parseArgs } from 'node:util';
import { fail, ok, type Result } from '../../runtime/result.ts';
import type { Settings } from './checks/configuration.ts';
import { modes, type Mode } from './mode.ts';

export const usage = `npm run doctor -- [options]

Checks a deployment against its real endpoints: table, queues, inbox and platforms. The connected mode adds the access to
the Returns Service: configuration, secret, certificate, token, API. The standalone mode adds webhook endpoints.
It reads the variables of the functions. A check without its variable does not apply.

  --mode <mode>              connected (default) or standalone
  --service-url <url>        replaces SERVICE_URL
  --auth-url <url>           replaces AUTH_URL
  --token-path <path>        replaces TOKEN_PATH
  --client-secret-id <name>  replaces CLIENT_SECRET_ID
  --stack [file]             checks the running local stack (npm start); default .local/stack.json
  --json                     prints the report as JSON
  --help                     prints this help

Exit codes: 0 no check failed, 1 a check failed, 2 usage error.`;

export type Arguments = {
  readonly mode: Mode;
  readonly settings: Partial<Settings>;
  /** The file that a local stack writes about itself. */
  readonly stack: string | undefined;
  readonly json: boolean;
  readonly help: boolean;
};

const options = {
  mode: { type: 'string', default: 'connected' },
  'service-url': { type: 'string' },
  'auth-url': { type: 'string' },
  'token-path': { type: 'string' },
  'client-secret-id': { type: 'string' },
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
    const { values } = parseArgs({ args: withStackFile(args), options });
    const { stack, json, help } = values;
    const mode = modes.find((known) => known === values.mode);
    if (mode === undefined) return fail(`--mode must be ${modes.join(' or ')}.`);
    const provided = {
      serviceUrl: values['service-url'],
      authUrl: values['auth-url'],
      tokenPath: values['token-path'],
      clientSecretId: values['client-secret-id'],
    };
    const settings: Partial<Settings> = Object.fromEntries(
      Object.entries(provided).filter(([, value]) => value !== undefined),
    );
    return ok({ mode, settings, stack, json, help });
  } catch (error) {
    return fail(error instanceof Error ? error.message : String(error));
  }
};
