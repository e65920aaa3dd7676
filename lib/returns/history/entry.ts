import type { EncryptedActor } from '../model/actor.ts';
import type { Instant } from '../model/order.ts';
import type { Status } from '../model/status.ts';
import type { CommonData } from './lines.ts';
import type { GoodsEvents } from './goods-events.ts';
import type { LifecycleEvents } from './lifecycle-events.ts';
import type { MoneyEvents } from './money-events.ts';
import type { ParcelEvents } from './parcel-events.ts';

/** The data of each type of event. */
type Events = LifecycleEvents & ParcelEvents & GoodsEvents & MoneyEvents;

/**
 * Something that happened to a return, as a decision puts it. `amounts` are of the lines whose worth it changed;
 * `observed` is where a platform told of it.
 */
export type Event = {
  readonly [Type in keyof Events]: {
    readonly type: Type;
    readonly data: Events[Type] & CommonData;
  };
}[keyof Events];

/** An event of one type. */
export type EventOf<Type extends Event['type']> = Extract<Event, { readonly type: Type }>;

/** HMAC-SHA-256 over the hash of an entry in hex, and the id of the key that it is made with. */
export type Mac = { readonly key: string; readonly value: string };

/**
 * An event in its place in the history. `hash` covers all but itself and `mac`, `previousHash` ties it to the entry before.
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
  /** Entries that are older than the keys have none. */
  readonly mac?: Mac;
};

/** An entry as it is written: whoever can only write to the table cannot make one. */
export type KeyedEntry = Entry & { readonly mac: Mac };
