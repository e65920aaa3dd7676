import type { Observation } from '../model/fact.ts';
import type { Amounts } from '../model/refund.ts';
import type { Unversioned } from '../model/return.ts';

/** What a line of the return is worth after an event. */
export type LineAmounts = { readonly lineId: string; readonly amounts: Amounts };

/** What the data of every event may hold: the lines whose worth it changed, and the platform that reported it. */
export type Common = { readonly amounts?: readonly LineAmounts[]; readonly observed?: Observation };

/** What an event of each type changes in a return. */
export type Appliers<Events> = {
  readonly [Type in keyof Events]: (state: Unversioned, data: Events[Type] & Common) => Partial<Unversioned>;
};
