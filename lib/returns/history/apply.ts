import { goodsAppliers } from './goods-events.ts';
import { lifeAppliers } from './life-events.ts';
import { moneyAppliers } from './money-events.ts';
import { parcelAppliers } from './parcel-events.ts';
import type { Event } from './entry.ts';
import type { Unversioned } from '../model/return.ts';

const appliers = { ...lifeAppliers, ...parcelAppliers, ...goodsAppliers, ...moneyAppliers };

/** What an event changes in a return, besides its place in the history, its status and what its lines are worth. */
export const apply = (state: Unversioned, { type, data }: Exclude<Event, { type: 'return.requested' }>) =>
  // The applier of a type takes the data of that type; TypeScript does not relate the two across the union.
  (appliers[type] as (state: Unversioned, data: unknown) => Partial<Unversioned>)(state, data);
