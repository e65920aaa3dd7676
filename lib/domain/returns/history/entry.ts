import type { EncryptedActor } from '../model/actor.ts';
import type { Instant } from '../model/order.ts';
import type { Status } from '../model/status.ts';
import type { CommonData } from './lines.ts';
import type { GoodsEvents, ParcelEvents } from './goods-events.ts';
import type { LifecycleEvents } from './lifecycle-events.ts';
import type { MoneyEvents } from './money-events.ts';

/** The data of each type of event that this service saw happen. */
type OwnEvents = LifecycleEvents & ParcelEvents & GoodsEvents & MoneyEvents;

type EventIn<Events> = {
  readonly [Type in keyof Events]: {
    readonly type: Type;
    readonly data: Events[Type] & CommonData;
  };
}[keyof Events];

/** What happened in another system, with its time there. */
export type ImportedStep = EventIn<OwnEvents> & { readonly at: Instant };

/** A return of another system as a whole. It is one event, because this service saw none of its steps. */
export type ReturnImported = {
  readonly source: string;
  readonly externalId: string;
  /** The request without texts and without the facts of the order. A later import is compared with it. */
  readonly facts: Readonly<Record<string, unknown>>;
  /** The first step is the request. */
  readonly steps: readonly ImportedStep[];
};

/** The data of each type of event. */
type Events = OwnEvents & { readonly 'return.imported': ReturnImported };

/**
 * An event of a return, as a command decides it. `amounts` are those of the lines whose worth it changed. `observed`
 * names the platform that reported it.
 */
export type Event = EventIn<Events>;

export type EventOf<Type extends Event['type']> = Extract<Event, { readonly type: Type }>;

/** HMAC-SHA-256 over the hash of an entry, in hex, and the id of its key. */
export type Mac = { readonly key: string; readonly value: string };

/**
 * An event with its position in the history. `hash` covers all fields but itself and `mac`. `previousHash` links it to
 * the entry before.
 */
export type Entry = Event & {
  readonly sequence: number;
  readonly at: Instant;
  readonly actor: EncryptedActor;
  readonly from: Status | null;
  readonly to: Status;
  readonly causationId: string;
  readonly correlationId: string;
  readonly policyVersion: string | null;
  readonly previousHash: string;
  readonly hash: string;
  /** Absent only where it was removed from the stored entry: the verification reports such an entry. */
  readonly mac?: Mac;
};

/** An entry as it is written. Write access to the table alone is not enough to forge one. */
export type KeyedEntry = Entry & { readonly mac: Mac };
