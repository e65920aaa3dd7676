import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { CreateQueueCommand, SQSClient } from '@aws-sdk/client-sqs';
import type { Mode } from '../../lib/tools/template/functions/function-row.ts';
import { deploy } from '../../lib/tools/template/cloudformation/deployment.ts';
import { accountId, readTemplate } from '../../lib/tools/template/cloudformation/template.ts';
import { clientSettings, functionEnvironment } from '../../lib/tools/local/emulators/function-spec.ts';
import { functionSpecs, sharedEnvironment } from '../../lib/tools/local/emulators/functions.ts';
import { createQueues, startQueues } from '../../lib/tools/local/emulators/queues.ts';
import { createSecrets, startSecretsManager } from '../../lib/tools/local/emulators/secrets-manager.ts';
import { openSecrets } from '../../lib/tools/local/emulators/secrets-store.ts';
import { startEngine } from '../../lib/tools/local/engine/engine.ts';
import { createTables } from '../../lib/tools/local/engine/tables.ts';
import { openClosers } from '../../lib/tools/local/json-file.ts';
import { addSources } from '../shops/platforms/platform-secret.ts';
import { testCertificate } from '../support/certificate.ts';
import { offer } from './offer.ts';
import { startRoundTrips } from './token/round-trips.ts';
import { environmentOf, fixedToken, oneWay, secretId, startWorld, unreached, type World } from './world.ts';
import type { ShopEntry } from './webhook/shop.ts';

/*
 * What the functions reach, in a process separate from the candidates: DynamoDB's engine, SQS, Secrets Manager, a token
 * endpoint and a Returns Service.
 */

export type Environment = Readonly<Record<string, string>>;

/** `near`: on this machine. `far`: with the round trips from Lambda, over TLS. */
export type Distance = 'near' | 'far';

const closers = openClosers();
let world: World | undefined;

const held = async <Part extends { readonly close: () => Promise<void> }>(part: Promise<Part>): Promise<Part> => {
  const started = await part;
  closers.add(started.close);
  return started;
};

const temporaryFolder = async (): Promise<string> => {
  const folder = await mkdtemp(join(tmpdir(), 'returns-bench-'));
  closers.add(() => rm(folder, { recursive: true, force: true }));
  return folder;
};

const heldWorld = async (...identity: Parameters<typeof startWorld>): Promise<World['origins']> => {
  const started = await startWorld(...identity);
  closers.add(async () => started[Symbol.asyncDispose]());
  world = started;
  return started.origins;
};

const day = 24 * 60 * 60_000;

const farAway = async (): Promise<Environment> => {
  const identity = testCertificate('bench', Date.now() - day, Date.now() + day);
  const authorities = join(await temporaryFolder(), 'ca.pem');
  await writeFile(authorities, identity.certificate);
  const origins = await heldWorld(identity);
  const away = async (name: keyof World['origins']): Promise<string> =>
    (await held(startRoundTrips(origins[name], oneWay[name]))).origin;
  const [secretsManager, authUrl] = [await away('secretsManager'), await away('authUrl')];
  const environment = environmentOf({ secretsManager, authUrl, serviceUrl: await away('serviceUrl') });
  return { ...environment, NODE_EXTRA_CA_CERTS: authorities };
};

/** Starts SQS with the queue of the peers of the receiver, and returns its origin. */
const startSqs = async (folder: string): Promise<string> => {
  const { url } = await held(startQueues(folder, 0));
  const client = new SQSClient({ ...clientSettings, endpoint: url });
  await client.send(new CreateQueueCommand({ QueueName: 'bodies' }));
  client.destroy();
  return url;
};

type Options = { readonly modes?: readonly Mode[]; readonly dataDir?: string; readonly shop?: ShopEntry };

const outside = {
  /** Starts what `getReturn` of the connected mode calls, and returns the environment of its candidates. */
  connected: async (distance: Distance): Promise<Environment> =>
    distance === 'near' ? environmentOf(await heldWorld()) : farAway(),
  /**
   * Starts what the functions call, and returns the environment of each mode's functions, as deployed by the template.
   *
   * @param options the folder of the engine's data; a shop, for the receivers of webhooks and their queues
   */
  deployed: async ({ modes = ['standalone'], dataDir, shop }: Options): Promise<Record<Mode, Environment>> => {
    const folder = dataDir ?? (await temporaryFolder());
    const secrets = await openSecrets(join(folder, 'secrets.json'));
    const engine = await held(startEngine(folder, 0));
    const manager = await held(startSecretsManager(secrets, 0));
    const reached = await heldWorld();
    const sqs = shop === undefined ? unreached.sqs : await startSqs(folder);
    const { authUrl, serviceUrl } = reached;
    const issuer = { TokenIssuer: authUrl, TokenAudience: serviceUrl };
    const { platform = 'shopify' } = shop ?? {};
    const parameters = {
      ...issuer,
      ServiceUrl: serviceUrl,
      AuthUrl: authUrl,
      ClientSecretId: secretId,
      ...(platform !== 'shopify' && { Platforms: platform, WriteBack: platform }),
    };
    const environments: Record<Mode, Environment> = { connected: {}, standalone: {} };
    for (const mode of modes) {
      const template = await readTemplate(`dist/package/${mode}/cloudformation-template-update-stack.json`);
      const deployment = deploy(template, { mode, parameters, sqs });
      await createTables(engine, deployment.ofType('AWS::DynamoDB::Table'));
      await createSecrets(secrets, deployment.ofType('AWS::SecretsManager::Secret'));
      const secretsManager = mode === 'connected' ? reached.secretsManager : manager.url;
      environments[mode] = {
        ...functionEnvironment({ ...unreached, dynamodb: engine.url, sqs, secretsManager }),
        ...sharedEnvironment(functionSpecs(deployment)),
        FIXED_TOKEN: fixedToken,
        ALTERNATIVE_QUEUE_URL: `${sqs}/${accountId}/bodies`,
        ALTERNATIVE_SECRET: shop?.entry.webhookSecrets[0] ?? '',
      };
      if (shop === undefined) continue;
      await createQueues(sqs, deployment.ofType('AWS::SQS::Queue'));
      await addSources(secrets, platform, { [shop.domain]: shop.entry });
    }
    return environments;
  },
  /** Sets the answer of the Returns Service to every read. */
  answerWith: async (getReturn: string) => {
    if (world !== undefined) world.situation.getReturn = getReturn;
  },
};

export type Outside = typeof outside;

offer(outside, closers.close);
