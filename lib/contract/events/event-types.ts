import type Type from 'typebox';
import type { Described } from './change-fields.ts';
import { goodsChanges, moneyChanges } from './goods-and-money-changes.ts';
import { annotationChanges, returnChanges } from './return-changes.ts';
import { serviceChanges } from './service-changes.ts';

/** The schemas of `data.change` of all events, by the event type without its prefix. */
export const changes = {
  ...returnChanges,
  ...goodsChanges,
  ...annotationChanges,
  ...moneyChanges,
  ...serviceChanges,
} satisfies Readonly<Record<string, Type.TSchema & Described>>;

/** The event types without the prefix that they have on the wire. */
export type EventType = keyof typeof changes;

export const eventTypes = Object.keys(changes).toSorted() as readonly EventType[];

/** The part of a type or pattern before the dot. */
type GroupOf<Type extends string> = Type extends `${infer Group}.${string}` ? Group : never;

/** A filter of an endpoint: one type, a group such as `refund.*`, or `*` for all types. */
export type EventPattern = EventType | `${GroupOf<EventType>}.*` | '*';

/** All patterns that select at least one type. */
export const eventPatterns = (): readonly EventPattern[] => [
  '*',
  ...new Set(eventTypes.map((type) => `${type.slice(0, type.indexOf('.'))}.*` as `${GroupOf<EventType>}.*`)),
  ...eventTypes,
];
