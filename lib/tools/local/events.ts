import type { StoredEvent } from './emulators/event-buses.ts';

/** A gateway has responded to a request. */
export type GatewayAnswered = {
  readonly type: 'answered';
  readonly api: 'api' | 'hooks' | 'web';
  readonly method: string;
  readonly path: string;
  readonly status: number;
  readonly location?: string;
  readonly at: number;
  readonly ms: number;
};

/** A function has ended. */
export type FunctionInvoked = {
  readonly type: 'invoked';
  /** Its key in serverless.yml. */
  readonly function: string;
  readonly trigger: 'http' | 'sqs' | 'stream' | 'schedule' | 'direct';
  /** Whether this event loaded its module. */
  readonly cold: boolean;
  readonly error?: string;
  readonly at: number;
  readonly ms: number;
};

/** A batch arrived from a queue, before the invocation of its function. */
export type BatchReceived = {
  readonly type: 'batch';
  readonly queue: string;
  readonly function: string;
  readonly messages: number;
  readonly at: number;
};

/** Records arrived from a table's stream, before the invocation of their function. */
export type RecordsReceived = {
  readonly type: 'records';
  readonly table: string;
  readonly function: string;
  readonly records: number;
  readonly at: number;
};

/** An observable event of a mode; times are epoch milliseconds. */
export type ModeEvent = GatewayAnswered | FunctionInvoked | BatchReceived | RecordsReceived;

/** A request for a token. */
export type TokenRequested = {
  readonly type: 'token';
  /** Empty when the request had no known client. */
  readonly clientId: string;
  readonly status: number;
  readonly at: number;
  readonly ms: number;
};

/** A call of Secrets Manager, without the content of a secret. */
export type SecretsCalled = {
  readonly type: 'secret';
  readonly action: string;
  readonly secretId: string;
  readonly status: number;
  readonly at: number;
  readonly ms: number;
};

/** The example service of an adapter has answered a request. */
export type ServiceCalled = {
  readonly type: 'called';
  readonly method: string;
  readonly path: string;
  readonly status: number;
  readonly at: number;
  readonly ms: number;
};

/** A request for the shop's Admin API, when it arrives. */
export type ShopQueried = { readonly type: 'graphql'; readonly query: string; readonly at: number };

/** An event was put on a bus. */
export type EventPublished = StoredEvent & { readonly type: 'published'; readonly at: number };

/** A delivery to the receiver of webhooks. Its subject is known when the signature was verified. */
export type WebhookReceived = {
  readonly type: 'webhook';
  readonly status: number;
  /** `verified`, or the reason for its rejection. */
  readonly verification: string;
  readonly id?: string;
  readonly isRepeated?: boolean;
  readonly event?: { readonly type: string; readonly subject: string };
  readonly at: number;
};

/** The events of the stack's servers. */
export type StackEvent =
  | (ModeEvent & { readonly source: 'connected' | 'standalone' })
  | (TokenRequested & { readonly source: 'identity' })
  | (SecretsCalled & { readonly source: 'secrets' })
  | (EventPublished & { readonly source: 'eventBridge' })
  | (WebhookReceived & { readonly source: 'receiver' })
  | (ServiceCalled & { readonly source: 'service' })
  | (ShopQueried & { readonly source: 'shop' });
