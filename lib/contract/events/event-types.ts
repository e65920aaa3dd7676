import { changes } from './event-changes.ts';

/**
 * The types of events, without the prefix that they have on the wire: events of returns, policies, jobs and endpoints.
 */
export type EventType = keyof typeof changes;

export const eventTypes = Object.keys(changes).toSorted() as readonly EventType[];

/** Of a type or a pattern, what stands before the dot. */
type GroupOf<Type extends string> = Type extends `${infer Group}.${string}` ? Group : never;

/** What an endpoint may ask for: a type, `refund.*` for all that begin so, `*` for all. */
export type EventPattern = EventType | `${GroupOf<EventType>}.*` | '*';

/** All patterns that mean something. */
export const eventPatterns = (): readonly EventPattern[] => [
  '*',
  ...new Set(eventTypes.map((type) => `${type.slice(0, type.indexOf('.'))}.*` as `${GroupOf<EventType>}.*`)),
  ...eventTypes,
];
