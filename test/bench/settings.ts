import type { Sample } from './statistics.ts';

/** The amount and the order of the measurements. A bench may ignore settings that it does not need. */
export type Settings = {
  readonly rounds: number;
  /** Rounds before those that count. */
  readonly warmUp: number;
  /** Invocations of each candidate in each round. */
  readonly invocations: number;
  readonly seed: number;
  /** Whether the guard stores the measured ratios. */
  readonly store?: boolean;
};

/** A section of a result: a table, and the comparison of its figures with targets. */
export type Section = {
  readonly title: string;
  /** Rows of cells; the first is the head. */
  readonly table: readonly (readonly string[])[];
  /** Lines below the table. */
  readonly remarks?: readonly string[];
  /** Lines that make the command fail. */
  readonly failures?: readonly string[];
};

export type Report = (progress: string) => void;

/** What a bench needs for a run. `held` is disposed after it. */
export type Bed = { readonly settings: Settings; readonly report: Report; readonly held: AsyncDisposableStack };

export type Bench = {
  readonly summary: string;
  /** The compared npm packages. Their versions belong to the result. */
  readonly packages: readonly string[];
  readonly defaults: Settings;
  /** Whether it measures no bundles. */
  readonly unbuilt?: boolean;
  /** Returns the procedure and the meaning of the figures. */
  readonly describe: (settings: Settings) => string;
  readonly run: (bed: Bed) => Promise<readonly Section[]>;
};

/** A candidate whose rounds alternate with those of others. */
export type Turn = { readonly name: string; readonly measure: () => Promise<Sample> };

/** Uncounted invocations before a round, because the previous candidate has cooled caches and sockets. */
export const leadIn = 10;

/** Returns the number of events that a candidate receives in all rounds. */
export const eventCount = ({ rounds, warmUp, invocations }: Settings): number =>
  (rounds + warmUp) * (invocations + leadIn);

export const roundsText = ({ rounds, warmUp, invocations, seed }: Settings): string =>
  `${rounds} rounds of ${invocations} invocations after ${warmUp} rounds of warm-up, seed ${seed}: median [quartiles of the rounds]`;

export const startsText = ({ rounds, warmUp, seed }: Settings): string =>
  `process start to first answer, ${rounds} starts each after ${warmUp} that do not count, seed ${seed}: median [quartiles]`;
