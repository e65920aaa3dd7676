import { changes } from './event-changes.ts';

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
