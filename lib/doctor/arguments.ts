import { parseArgs } from 'node:util';
import { fail, ok, type Result } from '../contract/result.ts';
import type { Settings } from './checks/configuration.ts';
import { modes, type Mode } from './mode.ts';

export const usage = `npm run doctor -- [options]

Checks a deployment against its real endpoints: table, queues, inbox, platforms; in the connected mode the access to the
Returns Service (configuration, secret, certificate, token, API), in the standalone mode webhook endpoints. It reads the
variables of the functions. A check whose variable is not set does not apply.

  --mode <mode>              connected or standalone, by default connected
  --service-url <url>        instead of SERVICE_URL
  --auth-url <url>           instead of AUTH_URL
  --client-secret-id <name>  instead of CLIENT_SECRET_ID
  --stack [file]             that of a running local stack (npm start), by default .local/stack.json
  --json                     the report as JSON
  --help

Exit codes: 0 no check failed, 1 a check failed, 2 usage error.`;

export type Arguments = {
  readonly mode: Mode;
  readonly settings: Partial<Settings>;
  /** What a local stack has written of itself. */
  readonly stack: string | undefined;
  readonly json: boolean;
  readonly help: boolean;
};

const options = {
  mode: { type: 'string', default: 'connected' },
  'service-url': { type: 'string' },
  'auth-url': { type: 'string' },
  'client-secret-id': { type: 'string' },
  stack: { type: 'string' },
  json: { type: 'boolean', default: false },
  help: { type: 'boolean', default: false },
} as const;

/** parseArgs knows no option whose value may be left out. */
const withStackFile = (args: readonly string[]): string[] =>
  args.map((arg, index) => {
    const next = args[index + 1];
    return arg === '--stack' && (next === undefined || next.startsWith('-')) ? '--stack=.local/stack.json' : arg;
  });

/** What was asked for on the command line, or what is wrong with it. */
export const parseArguments = (args: readonly string[]): Result<Arguments, string> => {
  try {
    const { values } = parseArgs({ args: withStackFile(args), options });
    const { stack, json, help } = values;
    const mode = modes.find((one) => one === values.mode);
    if (mode === undefined) return fail(`--mode takes ${modes.join(' or ')}.`);
    const given = {
      serviceUrl: values['service-url'],
      authUrl: values['auth-url'],
      clientSecretId: values['client-secret-id'],
    };
    const settings: Partial<Settings> = Object.fromEntries(
      Object.entries(given).filter(([, value]) => value !== undefined),
    );
    return ok({ mode, settings, stack, json, help });
  } catch (error) {
    return fail(error instanceof Error ? error.message : String(error));
  }
};
