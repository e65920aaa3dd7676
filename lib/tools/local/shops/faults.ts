/*
 * Faults of a shop's API on the wire. They are for requests that change the shop: whether the change was carried out is
 * what a client cannot know.
 */

/** What goes wrong with a request that changes the shop. */
export type WireFault =
  /** The connection breaks, and nothing is carried out. */
  | 'cut_before'
  /** It is carried out, and the connection breaks before the answer. */
  | 'answer_lost'
  /** It is carried out, and gets no answer. */
  | 'silent'
  /** The connection breaks. It is carried out later. */
  | 'late'
  /** An error answer, after it was carried out or instead of it. */
  | { readonly status: number; readonly carriedOut: boolean };

/** Faults by chance: `random` returns numbers from 0 to below 1, `rate` is from 0 to 1. */
export type RandomFaults = {
  readonly random: () => number;
  readonly rate: number;
  readonly kinds: readonly WireFault[];
};

/** The faults of a shop: those of the next requests, in their order, then by chance. */
export type Faults = {
  /** Sets the faults of the next requests that change the shop; undefined for none. */
  readonly push: (...faults: readonly (WireFault | undefined)[]) => void;
  readonly setRandom: (chance: RandomFaults) => void;
  /** Ends all faults. */
  readonly clear: () => void;
  /** Returns the fault of a request. */
  readonly take: () => WireFault | undefined;
};

/** Opens the faults of a shop, without any. */
export const openFaults = (): Faults => {
  let queue: (WireFault | undefined)[] = [];
  let chance: RandomFaults | undefined;
  const byChance = (): WireFault | undefined => {
    if (chance === undefined || chance.random() >= chance.rate) return undefined;
    return chance.kinds[Math.floor(chance.random() * chance.kinds.length)];
  };
  return {
    push: (...faults) => void queue.push(...faults),
    setRandom: (next) => void (chance = next),
    clear: () => {
      queue = [];
      chance = undefined;
    },
    take: () => (queue.length > 0 ? queue.shift() : byChance()),
  };
};
