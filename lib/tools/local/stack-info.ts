import type { AwsEndpoints } from './emulators/function-spec.ts';
import { audience, consoleAudience } from './emulators/identity-provider.ts';
import { type Client, consoleClient, type DemoUser, demoUsers } from './emulators/identity-state.ts';
import type { ExternalServices } from './external-services.ts';
import type { ModeSettings, ModeUrls } from './mode-process.ts';
import type { OpenShops } from './shops/served/open-shops.ts';

/** The content of <dataDir>/stack.json: all addresses and credentials of the stack. */
export type StackInfo = {
  readonly connected: { readonly url: string; readonly lambdaUrl: string; readonly webUrl?: string };
  readonly standalone: { readonly url: string; readonly hooksUrl: string; readonly lambdaUrl: string };
  /** The service of an adapter, the user's or an example; absent in a stack of both modes. */
  readonly service?: { readonly name: string; readonly url: string };
  /** The connected mode's hooks API. */
  readonly hooks: { readonly url: string };
  /** The API for browsers, of the standalone mode or of the adapter; absent when that is not started. */
  readonly web?: { readonly url: string };
  readonly tokenUrl: string;
  readonly issuer: string;
  readonly audience: string;
  readonly clients: Client[];
  /** The sign-in of users: the public client, the audience of its tokens, and the people. */
  readonly console: {
    readonly clientId: string;
    readonly audience: string;
    readonly authorizationUrl: string;
    readonly users: readonly DemoUser[];
  };
  readonly webhooks: {
    readonly shopify: {
      readonly url: string;
      readonly secret: string;
      readonly shopDomain: string;
      readonly orderIds: string[];
    };
  };
  /** The shops of the stack by platform, and the address for what customers and staff do there. */
  readonly shops: OpenShops['shops'];
  readonly shopsUrl: string;
  /** The receiver of events. It verifies them with secrets of the stack. */
  readonly receiver: { readonly url: string };
  /** Tables and buckets by name and queues by URL, under `<mode>.<logical id>`. */
  readonly aws: AwsEndpoints & {
    readonly tables: Readonly<Record<string, string>>;
    readonly queues: Readonly<Record<string, string>>;
    readonly buckets: Readonly<Record<string, string>>;
  };
  /** The values of the template's parameters, for each mode. */
  readonly parameters: Readonly<Record<ModeSettings['mode'], ModeSettings['parameters']>>;
};

export type Resources = {
  readonly tables: readonly (readonly [string, string])[];
  readonly queues: readonly (readonly [string, string])[];
  readonly buckets: readonly (readonly [string, string])[];
};

/** The parts of a stack that its modes have. */
export type Started = {
  readonly connected: { readonly urls: ModeUrls };
  readonly standalone: { readonly urls: ModeUrls };
  readonly service: { readonly name: string; readonly url: string } | undefined;
  readonly resources: readonly Resources[];
  readonly parameters: StackInfo['parameters'];
};

/** Describes a running stack. */
export const describeStack = (outside: ExternalServices, started: Started): StackInfo => {
  const { resources, parameters, service } = started;
  const connected = started.connected.urls;
  const standalone = started.standalone.urls;
  const web = service === undefined ? standalone.web : connected.web;
  return {
    connected: {
      url: connected.api,
      lambdaUrl: connected.lambda,
      ...(connected.web !== undefined && { webUrl: connected.web }),
    },
    standalone: { url: standalone.api, hooksUrl: standalone.hooks, lambdaUrl: standalone.lambda },
    hooks: { url: connected.hooks },
    ...(service !== undefined && { service: { name: service.name, url: service.url } }),
    ...(web !== undefined && { web: { url: web } }),
    tokenUrl: outside.identity.tokenUrl,
    issuer: outside.identity.issuer,
    audience,
    clients: [...outside.clients],
    console: {
      clientId: consoleClient,
      audience: consoleAudience,
      authorizationUrl: `${outside.identity.issuer}/auth`,
      users: demoUsers,
    },
    webhooks: {
      shopify: {
        url: `${connected.hooks}/webhooks/shopify`,
        secret: outside.shop.webhookSecret,
        shopDomain: outside.shop.shopDomain,
        orderIds: outside.shop.orderIds,
      },
    },
    shops: outside.shops.shops,
    shopsUrl: outside.shops.url,
    receiver: { url: outside.receiver.url },
    aws: {
      ...outside.endpoints,
      tables: Object.fromEntries(resources.flatMap(({ tables }) => tables)),
      queues: Object.fromEntries(resources.flatMap(({ queues }) => queues)),
      buckets: Object.fromEntries(resources.flatMap(({ buckets }) => buckets)),
    },
    parameters,
  };
};
