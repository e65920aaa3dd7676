import { join } from 'node:path';
import { startReceiver } from './emulators/receiver.ts';
import { startEventBridge } from './emulators/event-bridge.ts';
import { startIdentityProvider } from './emulators/identity-provider.ts';
import { type IdentityState, integrationClient, openIdentityState } from './emulators/identity-state.ts';
import { startVersions } from './emulators/object-versions.ts';
import { startQueues } from './emulators/queues.ts';
import { startSecretsManager } from './emulators/secrets-manager.ts';
import { openSecrets, type Secrets } from './emulators/secrets-store.ts';
import { startSes } from './emulators/ses.ts';
import type { EngineChoice } from './engine/engine-choice.ts';
import { startEngine } from './engine/engine.ts';
import type { StackEvent } from './events.ts';
import { type Closers, writePrivateJson } from './json-file.ts';
import type { Ports } from './ports.ts';
import { type Shop, startShop } from './shop/shop.ts';
import { openShops } from './shops/served/open-shops.ts';
import { waitAloud, type WaitFor } from './waits.ts';

export type ExternalServicesOptions = {
  readonly dataDir: string;
  readonly ports: Partial<Ports>;
  /**
   * The platforms whose shops are started besides Shopify.
   * @default none
   */
  readonly shops?: readonly string[];
  /** @default the result of `findEngine` */
  readonly engine?: EngineChoice;
  readonly emit: (event: StackEvent) => void;
  /** Called when a client has another secret. */
  readonly onSecrets?: () => Promise<void>;
  /** Receives the closer of each started part. */
  readonly closers: Closers;
  /** @default `waitAloud` */
  readonly waitFor?: WaitFor;
};

/** Stores a secret, if its content differs. */
export const putSecret = async (secrets: Secrets, name: string, content: unknown): Promise<void> => {
  const value = { secretString: JSON.stringify(content) };
  if (!secrets.has(name)) await secrets.create(name, value);
  else if (secrets.get(name).secretString !== value.secretString) await secrets.put(name, value);
};

/** Stores the secrets that operators provide: the client's credentials at the service, and those of the shops. */
const putOperatorSecrets = async (secrets: Secrets, shop: Shop, { clients }: IdentityState): Promise<void> => {
  const client = clients.find(({ clientId }) => clientId === integrationClient);
  const { shopDomain, webhookSecret, accessToken } = shop;
  await putSecret(secrets, 'returns/client', { clientId: client?.clientId, clientSecret: client?.clientSecret });
  await putSecret(secrets, 'returns/platforms/webhooks/shopify', {
    sources: { [shopDomain]: { webhookSecrets: [webhookSecret] } },
  });
  // The shop accepts one token for reads and writes.
  for (const half of ['api', 'effects'])
    await putSecret(secrets, `returns/platforms/${half}/shopify`, {
      sources: { [shopDomain]: { accessToken, apiUrl: shop.url } },
    });
};

/** Starts the external systems of the bundle: AWS, the identity provider, the shop and a receiver of webhooks. */
export const startExternalServices = async ({
  dataDir,
  ports,
  shops: names = [],
  engine: choice,
  emit,
  onSecrets,
  closers,
  waitFor = waitAloud,
}: ExternalServicesOptions) => {
  const held = async <Part extends { readonly close: () => Promise<void> }>(part: Promise<Part>): Promise<Part> => {
    const started = await part;
    closers.add(started.close);
    return started;
  };
  const stateFile = join(dataDir, 'identity-provider.json');
  const state = await openIdentityState(stateFile);
  const secrets = await openSecrets(join(dataDir, 'secrets.json'));
  const starting = [
    held(startEngine(dataDir, ports.dynamodb ?? 0, choice, waitFor)),
    held(startQueues(dataDir, ports.sqs ?? 0)),
    held(
      startSecretsManager(secrets, ports.secrets ?? 0, (request) =>
        emit({ ...request, type: 'secret', source: 'secrets' }),
      ),
    ),
    held(
      startEventBridge(ports.eventBridge ?? 0, (event) =>
        emit({ ...event, type: 'published', source: 'eventBridge', at: Date.now() }),
      ),
    ),
    held(
      startIdentityProvider(
        state,
        ports.identity ?? 0,
        (request) => emit({ ...request, type: 'token', source: 'identity' }),
        async () => {
          await writePrivateJson(stateFile, state);
          await onSecrets?.();
        },
      ),
    ),
    held(startReceiver(ports.receiver ?? 0, (webhook) => emit({ ...webhook, source: 'receiver' }))),
    held(
      startShop({
        port: ports.shop ?? 0,
        onRequest: ({ query }) => emit({ type: 'graphql', source: 'shop', query, at: Date.now() }),
      }),
    ),
  ] as const;
  // Waits for all, so that a failed one does not leave a later one behind.
  await Promise.allSettled(starting);
  const [engine, queues, manager, eventBridge, identity, receiver, shop] = await Promise.all(starting);
  const objects = await held(startVersions(queues.url));
  const ses = await held(
    startSes(ports.ses ?? 0, (detailType, detail) => eventBridge.report('aws.ses', detailType, detail, Date.now())),
  );
  await putOperatorSecrets(secrets, shop, state);
  // Its token is also that of the secret effects/shopify.
  for (const scope of ['write_orders', 'write_returns']) shop.scopes.add(scope);
  const shops = await openShops({
    names,
    port: ports.shops ?? 0,
    storeSecret: (name, content) => putSecret(secrets, name, content),
    shopify: shop,
    closers,
  });
  return {
    engine,
    identity,
    shop,
    shops,
    receiver,
    secrets,
    eventBridge,
    ses,
    clients: state.clients,
    endpoints: {
      dynamodb: engine.url,
      sqs: queues.url,
      secretsManager: manager.url,
      s3: objects.url,
      eventBridge: eventBridge.url,
      ses: ses.url,
    },
  };
};

export type ExternalServices = Awaited<ReturnType<typeof startExternalServices>>;
