import { mkdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { startAdapter } from './adapter-stack.ts';
import { emptyDataDir, makeDataDir } from './data-dir.ts';
import type { StackEvent } from './events.ts';
import { startExternalServices, type ExternalServices } from './external-services.ts';
import { openClosers, writePrivateJson } from './json-file.ts';
import { openLauncher, type StackStart } from './launch.ts';
import { freePort, host } from './ports.ts';
import { describeStack } from './stack-info.ts';
import type { StackOptions } from './stack-options.ts';
import { adoption, agents, publicPages, settingsOf, users } from './mode-settings.ts';

/** Starts the service first, because the connected mode needs its URL. */
const startModes = async (outside: ExternalServices, start: StackStart) => {
  const { options } = start;
  const { ports = {}, sharedToken = false, returnTerms = {}, fourEyes = false, platforms } = options;
  const { existingTable, writeBack = 'none', mailSender = '' } = options;
  const taken = platforms === undefined ? {} : { Platforms: platforms };
  const adopted = existingTable === undefined ? {} : adoption(existingTable);
  const webPort = ports.web || (await freePort());
  // Pages of this origin read evidence, and the `type` of a problem leads to one of them.
  const webOrigin = `http://${host}:${webPort}`;
  const launch = openLauncher(outside, start);
  const standalonePorts = {
    api: ports.standalone ?? 0,
    hooks: ports.standaloneHooks ?? 0,
    web: webPort,
    lambda: ports.standaloneLambda ?? 0,
    objects: ports.standaloneObjects ?? 0,
  };
  const standalone = await launch(
    settingsOf('standalone', options, outside, standalonePorts, {
      ReturnTerms: JSON.stringify(returnTerms),
      CustomerSearch: 'on',
      FourEyes: fourEyes ? 'on' : 'off',
      WriteBack: writeBack,
      MailSender: mailSender,
      ...users,
      EvidenceCorsOrigin: webOrigin,
      DocsUrl: webOrigin,
      ...agents(webOrigin),
      ...publicPages,
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
    ...agents(webOrigin),
    ...publicPages,
    ...taken,
  };
  const connected = await launch(settingsOf('connected', options, outside, connectedPorts, parameters));
  return {
    connected: connected.mode,
    standalone: standalone.mode,
    service: undefined,
    resources: [connected.resources, standalone.resources],
    parameters: { connected: connected.parameters, standalone: standalone.parameters },
  };
};

/**
 * Starts the whole bundle on this machine, in both modes: the standalone mode is the Returns Service that the connected
 * mode calls. With the offer of an adapter, it starts the deployment of that and an example of its service instead.
 * Everything that it starts ends with this process, however that ends.
 */
export const startStack = async (options: StackOptions) => {
  const { dataDir, ports = {}, fresh = false, engine, waitFor, onEvent } = options;
  if (fresh) await emptyDataDir(dataDir);
  makeDataDir(dataDir);
  await mkdir(join(dataDir, 'logs'), { recursive: true, mode: 0o700 });
  const closers = openClosers();
  let tokenRequests = 0;
  const infoFile = join(dataDir, 'stack.json');
  /** Writes the file of the stack, once there is one. */
  let writeInfo: (() => Promise<void>) | undefined;
  const emit = (event: StackEvent): void => {
    if (event.type === 'token') tokenRequests += 1;
    onEvent?.(event);
  };
  try {
    const parts = [
      startExternalServices({
        dataDir,
        ports,
        ...(options.shops && { shops: options.shops }),
        ...(engine && { engine }),
        emit,
        onSecrets: async () => writeInfo?.(),
        closers,
        ...(waitFor && { waitFor }),
      }),
      Promise.resolve(options.root ?? process.cwd()),
    ] as const;
    // Waits for both, so that a failed build does not leave a service behind.
    await Promise.allSettled(parts);
    const [outside, root] = await Promise.all(parts);
    const start = { options: { ...options, root }, emit, closers };
    const { adapter } = options.offer ?? {};
    const started = await (adapter === undefined ? startModes(outside, start) : startAdapter(outside, start, adapter));
    const { connected, standalone, service } = started;
    const info = describeStack(outside, started);
    const { endpoints, shops } = outside;
    shops.aim({ hooksUrl: info.hooks.url, sqs: endpoints.sqs, queueUrl: info.aws.queues['connected.EventsQueue'] });
    // The file of a stopped stack must not exist.
    closers.add(() => rm(infoFile, { force: true }));
    // The clients are those of the identity provider, with their secrets of this moment.
    writeInfo = () => writePrivateJson(infoFile, info);
    await writeInfo();
    return {
      info,
      connected,
      standalone,
      /** The service of the adapter, the user's or an example; undefined in a stack of both modes. */
      service,
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
