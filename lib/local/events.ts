import type { StoredEvent } from './emulators/event-buses.ts';

/** A request that a gateway has answered. */
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

/** A function that has ended. */
export type FunctionInvoked = {
  readonly type: 'invoked';
  /** Its key in serverless.yml. */
  readonly function: string;
  readonly trigger: 'http' | 'sqs' | 'stream' | 'schedule' | 'direct';
  /** Whether its module was loaded for this event. */
  readonly cold: boolean;
  readonly error?: string;
  readonly at: number;
  readonly ms: number;
};

/** A batch that came from a queue, before its function is invoked. */
export type BatchReceived = {
  readonly type: 'batch';
  readonly queue: string;
  readonly function: string;
  readonly messages: number;
  readonly at: number;
};

/** Records that came from a table's stream, before their function is invoked. */
export type RecordsReceived = {
  readonly type: 'records';
  readonly table: string;
  readonly function: string;
  readonly records: number;
  readonly at: number;
};

/** What is seen from the outside of a mode; times are epoch milliseconds. */
export type ModeEvent = GatewayAnswered | FunctionInvoked | BatchReceived | RecordsReceived;

/** A request for a token. */
export type TokenRequested = {
  readonly type: 'token';
  /** Empty when the request named no known client. */
  readonly clientId: string;
  readonly status: number;
  readonly at: number;
  readonly ms: number;
};

/** A call of Secrets Manager; never what a secret holds. */
export type SecretsCalled = {
  readonly type: 'secret';
  readonly action: string;
  readonly secretId: string;
  readonly status: number;
  readonly at: number;
  readonly ms: number;
};

/** A request for the shop's Admin API, as it arrives. */
export type ShopAsked = { readonly type: 'graphql'; readonly query: string; readonly at: number };

/** An event that was put on a bus. */
export type EventPublished = StoredEvent & { readonly type: 'published'; readonly at: number };

/** A delivery to the receiver of webhooks; what it is about is known where its signature was verified. */
export type WebhookReceived = {
  readonly type: 'webhook';
  readonly status: number;
  /** `verified`, or why it was not taken. */
  readonly verdict: string;
  readonly id?: string;
  readonly isRepeated?: boolean;
  readonly event?: { readonly type: string; readonly subject: string };
  readonly at: number;
};

/** What happens in the stack, as its servers see it. */
export type StackEvent =
  | (ModeEvent & { readonly source: 'connected' | 'standalone' })
  | (TokenRequested & { readonly source: 'identity' })
  | (SecretsCalled & { readonly source: 'secrets' })
  | (EventPublished & { readonly source: 'eventBridge' })
  | (WebhookReceived & { readonly source: 'receiver' })
  | (ShopAsked & { readonly source: 'shop' });
