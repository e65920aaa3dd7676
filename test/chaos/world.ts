import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { SetQueueAttributesCommand, SQSClient } from '@aws-sdk/client-sqs';
import { functionId } from '../../lib/tools/template/resources/cloudformation.ts';
import { rowsOf } from '../../lib/tools/template/functions.ts';
import { readTemplate } from '../../lib/tools/template/cloudformation/template.ts';
import { clientSettings } from '../../lib/tools/local/emulators/function-spec.ts';
import type { FunctionInvoked } from '../../lib/tools/local/events.ts';
import { isAlive, openClosers, type Closers } from '../../lib/tools/local/json-file.ts';
import { startMode, type ModeProcess, type ModeSettings } from '../../lib/tools/local/mode-process.ts';
import { startStack } from '../../lib/tools/local/stack.ts';
import type { StackInfo } from '../../lib/tools/local/stack-info.ts';
import { stop } from '../support/stopped.ts';
import { startFaultyService, type FaultyService } from './faulty-service.ts';
import { services, type Fault, type ModeName, type ServiceName } from './plan.ts';
import { seenEvent, startReceiver, type SeenEvent } from './receiver.ts';
import { repliesOf } from './replies.ts';
import { offers } from '../../lib/tools/template/offer.ts';

/* Both modes with a proxy before each dependency. The emulators behind the proxies work. */

/** A busy machine starts a mode slowly. Deadlines of attempts stay near those of AWS. */
const timeScale = 2;
/** Seconds after which another worker gets the message of a dead one: much shorter than deployed, as the run is. */
const hideSeconds = 20;
/** Refunds precede the receipt of goods, so that every command is allowed. */
const returnTerms = { refundTiming: 'approved', fees: { returnShipping: 490 } };

/** Hides messages for a shorter time than deployed. */
const shortenQueues = async ({ aws }: StackInfo): Promise<void> => {
  const client = new SQSClient({ ...clientSettings, endpoint: aws.sqs });
  const Attributes = { VisibilityTimeout: String(hideSeconds) };
  const urls = Object.entries(aws.queues).flatMap(([name, url]) => (name.endsWith('Queue') ? [url] : []));
  try {
    await Promise.all(
      urls.map(async (QueueUrl) => client.send(new SetQueueAttributesCommand({ QueueUrl, Attributes }))),
    );
  } finally {
    client.destroy();
  }
};

/**
 * Writes the template of a mode with shorter timeouts of the functions behind queues, and returns its file. Lambda
 * rejects a queue that hides messages for less than the timeout of its function.
 */
const writeTemplate = async ({ root, dataDir }: Pick<Setting, 'root' | 'dataDir'>, mode: ModeName): Promise<string> => {
  const deployed = join(root, 'dist/package', mode, 'cloudformation-template-update-stack.json');
  const template = await readTemplate(deployed);
  const consumers = rowsOf(offers[mode]).filter(([, { trigger }]) => trigger.kind === 'queue');
  const shorter = consumers.flatMap(([name]) => {
    const resource = template.Resources[functionId(name)];
    if (resource === undefined || Number(resource.Properties?.['Timeout']) <= hideSeconds) return [];
    return [[functionId(name), { ...resource, Properties: { ...resource.Properties, Timeout: hideSeconds } }] as const];
  });
  const file = join(dataDir, `${mode}-template.json`);
  const Resources = { ...template.Resources, ...Object.fromEntries(shorter) };
  await writeFile(file, JSON.stringify({ ...template, Resources }));
  return file;
};

type Setting = {
  readonly dataDir: string;
  /** The folder of dist/, built and packaged. */
  readonly root: string;
  /** Uniform in [0, 1). */
  readonly random: () => number;
};

type Invoked = FunctionInvoked & { readonly mode: ModeName };

const openWorld = async ({ dataDir, root, random }: Setting, closers: Closers) => {
  const bus: SeenEvent[] = [];
  const stack = await startStack({
    dataDir,
    root,
    fresh: true,
    modes: [],
    returnTerms,
    onEvent: (event) => {
      const seen = event.type === 'published' ? seenEvent(event.event.detail) : undefined;
      if (seen !== undefined) bus.push(seen);
    },
  });
  closers.add(stack.close);
  const { aws, issuer, parameters } = stack.info;
  await shortenQueues(stack.info);

  const receivers = [await startReceiver(), await startReceiver()] as const;
  closers.add(async () => void (await Promise.all(receivers.map(({ close: end }) => end()))));

  const proxies = new Map<ServiceName, FaultyService>();
  const proxy = async (name: ServiceName, upstream: string): Promise<string> => {
    const started = await startFaultyService(upstream, repliesOf[name], random);
    proxies.set(name, started);
    closers.add(started.close);
    return started.origin;
  };
  const endpoints = {
    dynamodb: await proxy('dynamodb', aws.dynamodb),
    sqs: await proxy('sqs', aws.sqs),
    s3: await proxy('s3', aws.s3),
    eventBridge: await proxy('eventbridge', aws.eventBridge),
    secretsManager: await proxy('secrets', aws.secretsManager),
    ses: aws.ses,
  };
  const authUrl = await proxy('token', issuer);
  const shopUrl = await proxy('shop', stack.shop.url);
  const receiverUrls = [
    await proxy('receiver', receivers[0].origin),
    await proxy('other receiver', receivers[1].origin),
  ] as const;
  const { shopDomain, accessToken } = stack.shop;
  await stack.secrets.put('returns/platforms/api/shopify', {
    secretString: JSON.stringify({ sources: { [shopDomain]: { accessToken, apiUrl: shopUrl } } }),
  });

  const invoked: Invoked[] = [];
  const logs: string[] = [];
  const launch = async (mode: ModeName, changes: Readonly<Record<string, string>>): Promise<ModeProcess> => {
    const setting: ModeSettings = {
      mode,
      dataDir: join(dataDir, 'chaos'),
      root,
      template: await writeTemplate({ root, dataDir }, mode),
      aws: endpoints,
      streams: true,
      schedules: true,
      events: true,
      timeScale,
      ports: { api: 0, hooks: 0, lambda: 0 },
      parameters: { ...parameters[mode], ...changes },
    };
    const logFile = join(dataDir, 'logs', `${mode}-chaos.log`);
    logs.push(logFile);
    const started = await startMode(setting, logFile, (event) => {
      if (event.type === 'invoked') invoked.push({ ...event, mode });
    });
    closers.add(started.stop);
    return started;
  };
  const standalone = await launch('standalone', {});
  const serviceUrl = await proxy('service', standalone.urls.api);
  const connected = await launch('connected', { ServiceUrl: serviceUrl, AuthUrl: authUrl });
  const modes: Readonly<Record<ModeName, ModeProcess>> = { standalone, connected };
  const info: StackInfo = {
    ...stack.info,
    standalone: { url: standalone.urls.api, hooksUrl: standalone.urls.hooks, lambdaUrl: standalone.urls.lambda },
    connected: { url: connected.urls.api, lambdaUrl: connected.urls.lambda },
    hooks: { url: connected.urls.hooks },
    webhooks: { shopify: { ...stack.info.webhooks.shopify, url: `${connected.urls.hooks}/webhooks/shopify` } },
  };

  /** Starts a dead mode again. It may need several attempts while its dependencies fail. */
  const revive = async (mode: ModeName): Promise<void> => {
    for (;;) {
      const isUp = await modes[mode].start().then(
        () => true,
        () => false,
      );
      if (isUp) break;
      await pause(500);
    }
  };

  const freeze = async (mode: ModeName, forMs: number): Promise<void> => {
    const pid = modes[mode].pid();
    if (pid === undefined) return;
    await stop(pid);
    await pause(forMs);
    process.kill(pid, 'SIGCONT');
  };

  return {
    info,
    shop: stack.shop,
    bus,
    invoked,
    logs,
    receivers,
    receiverUrls,
    /** Lets a target fail for its time. Resolves when it works again. */
    fail: async (fault: Fault): Promise<void> => {
      if (!('share' in fault)) {
        if (fault.kind === 'freeze') return freeze(fault.target, fault.forMs);
        await modes[fault.target].kill();
        await pause(fault.forMs);
        return revive(fault.target);
      }
      const { target, kind, share, forMs } = fault;
      await proxies.get(target)?.set({ kind, share, forMs });
      await pause(forMs);
      return proxies.get(target)?.set(undefined);
    },
    /** Returns the number of requests that met each fault of a service. */
    affected: (service: ServiceName) => proxies.get(service)?.affected() ?? {},
    /** Ends all faults of the services. */
    heal: async (): Promise<void> =>
      void (await Promise.all(services.map(async (name) => proxies.get(name)?.set(undefined)))),
    /** Returns the modes whose process has ended by itself. */
    died: (): readonly ModeName[] =>
      (['connected', 'standalone'] as const).filter((mode) => {
        const pid = modes[mode].pid();
        return pid !== undefined && !isAlive(pid);
      }),
    close: closers.close,
  };
};

/** Starts the world of a run. */
export const startWorld = async (setting: Setting) => {
  const closers = openClosers();
  try {
    return await openWorld(setting, closers);
  } catch (error) {
    await closers.close();
    throw error;
  }
};

export type World = Awaited<ReturnType<typeof startWorld>>;
