import { mkdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { deploy, streamArn, type Deployed } from '../template/cloudformation/deployment.ts';
import { readTemplate } from '../template/cloudformation/template.ts';
import { emptyDataDir, makeDataDir } from './data-dir.ts';
import { audience, consoleAudience } from './emulators/identity-provider.ts';
import { consoleClient, integrationClient } from './emulators/identity-state.ts';
import { createBuckets } from './emulators/objects.ts';
import { createQueues } from './emulators/queues.ts';
import { createSecrets } from './emulators/secrets-manager.ts';
import type { EngineChoice } from './engine/engine-choice.ts';
import { adoptTables, createTables, deleteTables } from './engine/tables.ts';
import type { StackEvent } from './events.ts';
import { startExternalServices, type ExternalServices } from './external-services.ts';
import { openClosers, writePrivateJson, type Closers } from './json-file.ts';
import { absentMode, startMode, type ModeProcess, type ModeSettings } from './mode-process.ts';
import { freePort, host, type Ports } from './ports.ts';
import { describeStack, type Resources } from './stack-info.ts';
import type { WaitFor } from './waits.ts';

export type StackOptions = {
  /** The folder of all data that outlives a run: tables, queues, secrets, keys, logs. */
  readonly dataDir: string;
  /** @default any free port for each server */
  readonly ports?: Partial<Ports>;
  /** Removes the state of earlier stacks from the data directory. Removes their tables from an external engine. */
  readonly fresh?: boolean;
  /**
   * The DynamoDB engine.
   * @default the result of `findEngine`
   */
  readonly engine?: EngineChoice;
  /**
   * The folder of dist/, built and packaged. External services start while a build still runs.
   * @default the working directory
   */
  readonly root?: string | Promise<string>;
  /**
   * The file that records the functions' calls of AWS.
   * @default none
   */
  readonly callRecord?: string;
  /**
   * The authorizer of both APIs, in the format of the template's parameter.
   * @default gateway
   */
  readonly tokenAuthorizer?: 'gateway' | 'function';
  /** Whether the containers of the connected mode share their tokens. */
  readonly sharedToken?: boolean;
  /**
   * Terms of the standalone mode for new returns, which override those of a deployment without any.
   * @default none
   */
  readonly returnTerms?: object;
  /**
   * The table that the standalone mode uses, such as a restored one. The engine must have it.
   * @default a table of the stack's own
   */
  readonly existingTable?: string | undefined;
  /**
   * The platforms whose deliveries are accepted, in the format of the template's parameter.
   * @default shopify
   */
  readonly platforms?: string;
  /**
   * Whether a withdrawal before shipping also cancels the order at its shop, in the format of the template's parameter.
   * @default event
   */
  readonly withdrawalCancellation?: 'event' | 'platform';
  /**
   * Whether the tables' streams feed functions. Their permissions are checked in either case.
   * @default true
   */
  readonly streams?: boolean;
  /**
   * Whether the schedules invoke functions.
   * @default true
   */
  readonly schedules?: boolean;
  /**
   * Whether the modes save memory, at the cost of CPU time under load.
   * @default false
   */
  readonly light?: boolean;
  /**
   * The modes to start. The others get their resources, but no functions and APIs.
   * @default both
   */
  readonly modes?: readonly ModeSettings['mode'][];
  /**
   * The factor by which functions may exceed the deployed timeouts, including those of the table: a busy machine is
   * slower, not faulty.
   * @default 1
   */
  readonly timeScale?: number;
  /**
   * Watches the parts that the start waits for. No time limit ends it otherwise.
   * @default reports on stderr what makes no progress
   */
  readonly waitFor?: WaitFor;
  readonly onEvent?: (event: StackEvent) => void;
};

/** The options after the build. */
type BuiltOptions = Omit<StackOptions, 'root'> & { readonly root: string };

/** Returns the template and the parameters of a mode. */
const settingOf = (
  mode: ModeSettings['mode'],
  {
    dataDir,
    root,
    streams = true,
    schedules = true,
    timeScale = 1,
    light = false,
    tokenAuthorizer = 'gateway',
    onEvent,
  }: BuiltOptions,
  outside: ExternalServices,
  ports: ModeSettings['ports'],
  own: ModeSettings['parameters'] = {},
): ModeSettings => ({
  mode,
  dataDir,
  root,
  streams,
  schedules,
  timeScale,
  light,
  events: onEvent !== undefined,
  template: join(root, 'dist/package', mode, 'cloudformation-template-update-stack.json'),
  aws: outside.endpoints,
  ports,
  parameters: {
    TokenIssuer: outside.identity.issuer,
    TokenAudience: audience,
    TokenAuthorizer: tokenAuthorizer,
    // The connected mode is the only client that writes platform facts to the service.
    ...(mode === 'standalone' && { PlatformClients: integrationClient, HistoryAnchors: 'on' }),
    ...(mode === 'connected' && {
      AuthUrl: outside.identity.issuer,
      ClientSecretId: 'returns/client',
    }),
    ...own,
  },
});

/** Creates the resources of a mode's template, except functions and APIs. `reindex` reports changed indexes. */
const createResources = async (
  settings: ModeSettings,
  outside: ExternalServices,
  { fresh = false, waitFor }: BuiltOptions,
): Promise<Resources & { readonly reindex: boolean }> => {
  const deployment = deploy(await readTemplate(settings.template), { ...settings, sqs: settings.aws.sqs });
  const tables = deployment.ofType('AWS::DynamoDB::Table');
  const queues = deployment.ofType('AWS::SQS::Queue');
  if (fresh && outside.engine.isForeign) await deleteTables(outside.engine, tables, waitFor);
  const adopted = deployment.adoptedTables();
  const created = await createTables(outside.engine, tables, waitFor);
  const reindex = (await adoptTables(outside.engine, adopted, waitFor)) || created;
  await createQueues(outside.endpoints.sqs, queues);
  const buckets = deployment.ofType('AWS::S3::Bucket');
  await createBuckets(outside.endpoints.s3, buckets);
  outside.eventBridge.createBuses(deployment.ofType('AWS::Events::EventBus'));
  await createSecrets(outside.secrets, deployment.ofType('AWS::SecretsManager::Secret'));
  const named = ({ logicalId, local }: Deployed): [string, string] => [`${settings.mode}.${logicalId}`, local.ref];
  return {
    tables: [...tables, ...adopted].map(named),
    queues: queues.map(named),
    buckets: buckets.map(named),
    reindex,
  };
};

/** The operations for signed-in users, with the client of the console. */
const users: ModeSettings['parameters'] = {
  WebApi: 'on',
  Console: 'on',
  ConsoleAudience: consoleAudience,
  ConsoleClients: consoleClient,
};

/** The page for withdrawals, at a rate that no test of other things reaches. */
const withdrawPage: ModeSettings['parameters'] = {
  WithdrawPage: 'on',
  WithdrawPageRate: '1000',
  WithdrawPageBurst: '2000',
  ShopName: 'Example Shop',
  WithdrawalTimeZone: 'Europe/Berlin',
};

/** Returns the parameters with which a deployment uses an existing table. */
const adoption = (table: string): ModeSettings['parameters'] => ({
  ExistingTable: table,
  ExistingTableStreamArn: streamArn(table),
});

type Setting = {
  readonly options: BuiltOptions;
  readonly emit: (event: StackEvent) => void;
  readonly closers: Closers;
};

/** Starts the service first, because the connected mode needs its URL. */
const startModes = async (outside: ExternalServices, { options, emit, closers }: Setting) => {
  const { dataDir, ports = {}, callRecord, sharedToken = false, returnTerms = {}, platforms, modes } = options;
  const { existingTable, withdrawalCancellation = 'event' } = options;
  const taken = platforms === undefined ? {} : { Platforms: platforms };
  const adopted = existingTable === undefined ? {} : adoption(existingTable);
  const webPort = ports.web || (await freePort());
  // Pages of this origin read evidence, and the `type` of a problem leads to one of them.
  const webOrigin = `http://${host}:${webPort}`;
  const up: ModeProcess[] = [];
  // Stops them together: each waits for its last read of the queue.
  closers.add(async () => void (await Promise.all(up.map((mode) => mode.stop()))));
  const launch = async (modeSetting: ModeSettings) => {
    const recorded = callRecord === undefined ? modeSetting : { ...modeSetting, callRecord };
    const { reindex, ...resources } = await createResources(recorded, outside, options);
    const settings = { ...recorded, reindex: reindex && recorded.mode === 'standalone' };
    const { parameters } = settings;
    if (modes?.includes(settings.mode) === false) return { mode: absentMode(settings.mode), resources, parameters };
    const logFile = join(dataDir, 'logs', `${settings.mode}.log`);
    const mode = await startMode(
      settings,
      logFile,
      (event) => emit({ ...event, source: settings.mode }),
      options.waitFor,
    );
    up.push(mode);
    return { mode, resources, parameters };
  };
  const standalonePorts = {
    api: ports.standalone ?? 0,
    hooks: ports.standaloneHooks ?? 0,
    web: webPort,
    lambda: ports.standaloneLambda ?? 0,
    objects: ports.standaloneObjects ?? 0,
  };
  const standalone = await launch(
    settingOf('standalone', options, outside, standalonePorts, {
      ReturnTerms: JSON.stringify(returnTerms),
      CustomerSearch: 'on',
      WithdrawalCancellation: withdrawalCancellation,
      ...users,
      EvidenceCorsOrigin: webOrigin,
      DocsUrl: webOrigin,
      ...withdrawPage,
      // Allows receivers on this machine.
      WebhookNetworks: '127.0.0.0/8',
      ...taken,
      ...adopted,
    }),
  );
  const connectedPorts = { api: ports.connected ?? 0, hooks: ports.hooks ?? 0, lambda: ports.lambda ?? 0 };
  const parameters = {
    ServiceUrl: standalone.mode.urls.api,
    SharedToken: sharedToken ? 'on' : 'off',
    ...users,
    DocsUrl: webOrigin,
    ...withdrawPage,
    ...taken,
  };
  const connected = await launch(settingOf('connected', options, outside, connectedPorts, parameters));
  return {
    connected: connected.mode,
    standalone: standalone.mode,
    resources: [connected.resources, standalone.resources],
    parameters: { connected: connected.parameters, standalone: standalone.parameters },
  };
};

/**
 * Starts the whole bundle on this machine, in both modes: the standalone mode is the Returns Service that the connected
 * mode calls. Everything that it starts ends with this process, however that ends.
 */
export const startStack = async (options: StackOptions) => {
  const { dataDir, ports = {}, fresh = false, engine, waitFor, onEvent } = options;
  if (fresh) await emptyDataDir(dataDir);
  makeDataDir(dataDir);
  await mkdir(join(dataDir, 'logs'), { recursive: true, mode: 0o700 });
  const closers = openClosers();
  let tokenRequests = 0;
  const emit = (event: StackEvent): void => {
    if (event.type === 'token') tokenRequests += 1;
    onEvent?.(event);
  };
  try {
    const parts = [
      startExternalServices({ dataDir, ports, ...(engine && { engine }), emit, closers, ...(waitFor && { waitFor }) }),
      Promise.resolve(options.root ?? process.cwd()),
    ] as const;
    // Waits for both, so that a failed build does not leave a service behind.
    await Promise.allSettled(parts);
    const [outside, root] = await Promise.all(parts);
    const built = { ...options, root };
    const { connected, standalone, resources, parameters } = await startModes(outside, {
      options: built,
      emit,
      closers,
    });
    const info = describeStack(outside, connected.urls, standalone.urls, resources, parameters);
    const infoFile = join(dataDir, 'stack.json');
    // The file of a stopped stack must not exist.
    closers.add(() => rm(infoFile, { force: true }));
    await writePrivateJson(infoFile, info);
    return {
      info,
      connected,
      standalone,
      engine: outside.engine,
      shop: outside.shop,
      receiver: outside.receiver,
      secrets: outside.secrets,
      /** Returns the number of requests to the token endpoint. */
      tokenRequests: () => tokenRequests,
      close: closers.close,
    };
  } catch (error) {
    await closers.close();
    throw error;
  }
};

export type Stack = Awaited<ReturnType<typeof startStack>>;
