import type { Event, EventOf } from './entry.ts';
import type { Unversioned } from '../model/return.ts';

/** What changes a return that is there. */
export type Change = Exclude<Event['type'], 'return.requested'>;

/** What an event of each type changes in a return. */
export type Appliers = {
  readonly [Type in Change]: (state: Unversioned, data: EventOf<Type>['data']) => Partial<Unversioned>;
};
