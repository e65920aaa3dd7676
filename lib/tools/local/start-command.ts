import { connect } from 'node:net';
import { parseCommandLine, type Command } from '../command-line/command-line.ts';
import { parseObject } from '../../runtime/json.ts';
import { suggestion } from '../../runtime/nearest.ts';
import { fail, ok, type Result } from '../../runtime/result.ts';
import type { Offer } from '../template/offer.ts';
import { findEngine, type EngineChoice } from './engine/engine-choice.ts';
import { type OwnService, ownServiceOptions, readOwnService } from './own-service.ts';
import { host, portsFromEnvironment, type Ports } from './ports.ts';
import { startWaits } from './waits.ts';

export const startCommand = {
  call: 'npm start',
  about: 'Starts both modes on this machine, runs a first return step by step, and runs until Ctrl-C.',
  options: {
    adapter: {
      type: 'string',
      value: '<name>',
      about: 'Starts the deployment of an adapter and an example of its service, in place of both modes: devolucoes.',
    },
    ...ownServiceOptions,
    once: { type: 'boolean', about: 'Ends after the first return.' },
    fresh: { type: 'boolean', about: 'Deletes the data of earlier starts from the data directory.' },
    seed: {
      type: 'boolean',
      about: 'Makes forty returns of an invented shop, in every status, or continues to make them.',
    },
    'data-dir': { type: 'string', value: '<folder>', about: 'The data directory of the stack; default .local.' },
    platforms: {
      type: 'string',
      value: '<names>',
      about: 'Platforms whose webhooks are accepted, and whose shops run here; default shopify.',
    },
    terms: { type: 'string', value: '<json>', about: 'Terms of new returns. They override the default terms.' },
    'shared-token': { type: 'boolean', about: 'Shares tokens between the containers of the connected mode.' },
    'source-maps': { type: 'boolean', about: 'Writes source maps next to the bundles (300 MB).' },
    verbose: { type: 'boolean', about: 'Prints every call, message and schedule run.' },
  },
  notes: `Each server listens on 127.0.0.1 and on a free port. These environment variables change that:

  PORT_CONNECTED, PORT_STANDALONE           The port of the API of a mode.
  PORT_HOOKS, PORT_STANDALONE_HOOKS         The webhooks of a mode.
  PORT_WEB                                  The console, the reference and the page for withdrawals.
  PORT_LAMBDA, PORT_STANDALONE_LAMBDA       Lambda's Invoke API of a mode.
  PORT_STANDALONE_OBJECTS                   Uploads and downloads of evidence (S3).
  PORT_IDENTITY, PORT_SHOP, PORT_RECEIVER   The OpenID provider, the Shopify shop, and the receiver of webhooks.
  PORT_SHOPS                                What customers and staff do in the shops.
  PORT_SERVICE                              The example service of an adapter.
  PORT_DYNAMODB, PORT_SQS, PORT_SECRETS, PORT_EVENTBRIDGE, PORT_SES
                                            DynamoDB, SQS, Secrets Manager, EventBridge and SES.
  HOST                                      0.0.0.0 or :: to listen on every interface.
  RETURNS_ENGINE                            The DynamoDB engine: dynoxide or dynamodb-local.
  AWS_ENDPOINT_URL_DYNAMODB                 The origin of an engine that runs already.

The first start takes about 20 s, because it bundles every function. Later starts take about 5 s.
No time limit ends a start on a slow machine. After 30 s without progress it prints what it waits for, and where its log
is. With --once, ten minutes without progress end it.`,
} satisfies Command;

export type StartOptions = {
  /** The deployment of an adapter; absent for both modes. */
  readonly offer?: Offer | undefined;
  /** The service of the user; absent for an example. */
  readonly ownService?: OwnService | undefined;
  readonly once: boolean;
  readonly fresh: boolean;
  readonly seed: boolean;
  readonly dataDir: string;
  readonly platforms: string;
  readonly returnTerms: object;
  readonly sharedToken: boolean;
  readonly maps: boolean;
  readonly verbose: boolean;
  readonly ports: Ports;
  readonly engine: EngineChoice;
};

export type StartRequest =
  | { readonly kind: 'start'; readonly options: StartOptions }
  | { readonly kind: 'help'; readonly text: string }
  | { readonly kind: 'wrong'; readonly message: string };

const defaultPlatforms = 'shopify';

/** Returns the error of a list of platforms. The functions accept deliveries of platforms that have a receiver. */
const platformsError = async (names: string): Promise<string | undefined> => {
  if (names === defaultPlatforms) return undefined;
  // Some platforms read their configuration while they load. No secret is read here.
  process.env['PLATFORM_SECRETS'] ??= 'unused';
  const { receivers } = await import('../../shops/platforms/receivers.ts');
  const known = Object.keys(receivers);
  const unknown = names
    .split(',')
    .map((name) => name.trim())
    .find((name) => !known.includes(name));
  if (unknown === undefined) return undefined;
  const there = suggestion(unknown, known) || ` There are ${known.toSorted().join(', ')}.`;
  return `--platforms: unknown platform "${unknown}".${there}`;
};

/** The options that an adapter's deployment cannot honour: it has no shop, no terms and no standalone mode. */
const optionsOfModes = ['platforms', 'seed', 'terms'] as const;

/** Returns the offer of an adapter, or the error: there must be an example of its service, or a service of the user. */
const readOffer = async (name: string, hasService: boolean): Promise<Result<Offer, string>> => {
  const [{ readAdapter }, { exampleServiceNames }] = await Promise.all([
    import('../template/adapters/read-adapter.ts'),
    import('./example-services.ts'),
  ]);
  const read = await readAdapter(name);
  if (!read.ok) return fail(`--adapter: ${read.failure}`);
  if (hasService || exampleServiceNames.includes(name)) return ok(read.value.offer);
  return fail(
    `--adapter: there is no example service for ${name}. Name yours with --service, --auth and --secret. ` +
      `There are examples for ${exampleServiceNames.join(', ')}.`,
  );
};

/** Returns the offer of the option --adapter; undefined for both modes. */
const offerOf = async (values: Readonly<Record<string, unknown>>): Promise<Result<Offer | undefined, string>> => {
  const { adapter } = values;
  if (typeof adapter !== 'string' || adapter === 'own') return ok(undefined);
  const other = optionsOfModes.find((name) => values[name] !== undefined);
  return other === undefined
    ? readOffer(adapter, values['service'] !== undefined)
    : fail(`--${other}: only both modes have it. Leave out --adapter.`);
};

const sentence = (text: string): string => (/[.?]$/.test(text) ? text : `${text}.`);

/** Returns the error of terms, in the words of the functions. */
const termsError = async (text: string): Promise<string | undefined> => {
  const [{ parseTerms }, { defaultTerms }, { statutoryRules }] = await Promise.all([
    import('../../domain/policies/terms/parse-terms.ts'),
    import('../../domain/policies/terms/policy-terms.ts'),
    import('../../domain/policies/law/statutory-rules.ts'),
  ]);
  try {
    parseTerms({ terms: defaultTerms, statutoryRules }, text);
    return undefined;
  } catch (error) {
    return `--terms: ${sentence(error instanceof Error ? error.message : String(error))}`;
  }
};

/** The variable with the port of a server. */
export const portVariable = (server: string): string =>
  `PORT_${server.replaceAll(/[A-Z]/g, (letter) => `_${letter}`).toUpperCase()}`.replace('EVENT_BRIDGE', 'EVENTBRIDGE');

const isInUse = (port: number): Promise<boolean> =>
  new Promise((resolve) => {
    const socket = connect(port, host);
    const end = (inUse: boolean) => {
      socket.destroy();
      resolve(inUse);
    };
    socket.once('connect', () => end(true)).once('error', () => end(false));
  });

type Environment = Readonly<Record<string, string | undefined>>;

const variableError = (ports: Ports, env: Environment): string | undefined => {
  const known = Object.keys(ports).map(portVariable);
  for (const name of Object.keys(env).filter((variable) => variable.startsWith('PORT_'))) {
    // Other programs may have variables with this prefix. Only a similar name is a mistake.
    const meant = known.includes(name) ? '' : suggestion(name, known);
    if (meant !== '') return `Unknown environment variable ${name}.${meant}`;
  }
  return undefined;
};

const usedPortError = async (ports: Ports): Promise<string | undefined> => {
  const configured = Object.entries(ports).filter(([, port]) => port !== 0);
  for (const [index, [server, port]] of configured.entries()) {
    const other = configured.slice(0, index).find(([, earlier]) => earlier === port);
    if (other !== undefined) return `${portVariable(other[0])} and ${portVariable(server)} are both ${port}.`;
    if (await isInUse(port)) return `${portVariable(server)}: port ${port} is in use. Choose another one.`;
  }
  return undefined;
};

type PortsRead = { readonly ok: true; readonly ports: Ports } | { readonly ok: false; readonly message: string };

const readPorts = async (env: Environment): Promise<PortsRead> => {
  try {
    const ports = portsFromEnvironment();
    const message = variableError(ports, env) ?? (await usedPortError(ports));
    return message === undefined ? { ok: true, ports } : { ok: false, message };
  } catch (error) {
    return { ok: false, message: `${error instanceof Error ? error.message : String(error)}.` };
  }
};

type EngineFound =
  | { readonly ok: true; readonly engine: EngineChoice }
  | { readonly ok: false; readonly message: string };

const engineIn = (env: Environment, isUnattended: boolean): Promise<EngineFound> =>
  findEngine(
    env,
    startWaits((lines) => console.error(lines.join('\n')), isUnattended),
  ).then(
    (engine) => ({ ok: true, engine }),
    (error: unknown) => ({ ok: false, message: error instanceof Error ? error.message : String(error) }),
  );

/**
 * Reads the options of `npm start`. It checks all of them before it builds or starts anything.
 *
 * @returns the options, the help text, or the first error in one sentence
 */
export const readStartRequest = async (args: readonly string[], env: Environment): Promise<StartRequest> => {
  const parsed = parseCommandLine(startCommand, args);
  if (parsed.kind !== 'run') return parsed;
  const { values } = parsed;
  const text = (name: keyof typeof startCommand.options, otherwise: string): string =>
    typeof values[name] === 'string' ? values[name] : otherwise;
  const platforms = text('platforms', defaultPlatforms);
  const terms = text('terms', '{}');
  const ownService = readOwnService(values);
  if (!ownService.ok) return { kind: 'wrong', message: ownService.failure };
  const offer = await offerOf(values);
  if (!offer.ok) return { kind: 'wrong', message: offer.failure };
  const message = (await platformsError(platforms)) ?? (terms === '{}' ? undefined : await termsError(terms));
  if (message !== undefined) return { kind: 'wrong', message };
  const read = await readPorts(env);
  if (!read.ok) return { kind: 'wrong', message: read.message };
  const found = await engineIn(env, values['once'] === true);
  if (!found.ok) return { kind: 'wrong', message: found.message };
  const options = {
    offer: offer.value,
    ownService: ownService.value,
    once: values['once'] === true,
    fresh: values['fresh'] === true,
    seed: values['seed'] === true,
    dataDir: text('data-dir', '.local'),
    platforms,
    returnTerms: parseObject(terms) ?? {},
    sharedToken: values['shared-token'] === true,
    maps: values['source-maps'] === true,
    verbose: values['verbose'] === true,
    ports: read.ports,
    engine: found.engine,
  };
  return { kind: 'start', options };
};
