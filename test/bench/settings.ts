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

/** A section of a result: a table for people, its verdicts on targets, and data for programs. */
export type Section = {
  readonly title: string;
  /** Rows of cells; the first is the head. */
  readonly table: readonly (readonly string[])[];
  /** Lines below the table. */
  readonly remarks?: readonly string[];
  /** Lines that make the command fail. */
  readonly failures?: readonly string[];
  readonly data: unknown;
};

export type Bench = {
  readonly summary: string;
  /** The compared npm packages. Their versions belong to the result. */
  readonly packages: readonly string[];
  readonly defaults: Settings;
  /** Returns the procedure and the meaning of the figures. */
  readonly describe: (settings: Settings) => string;
  /** Measures, and reports its progress. */
  readonly run: (settings: Settings, report: (progress: string) => void) => Promise<readonly Section[]>;
};

/** Uncounted invocations before a round, because the previous candidate has cooled caches and sockets. */
export const leadIn = 10;

/** Returns the number of events that a candidate receives in all rounds. */
export const eventCount = ({ rounds, warmUp, invocations }: Settings): number =>
  (rounds + warmUp) * (invocations + leadIn);

export const roundsText = ({ rounds, warmUp, invocations, seed }: Settings): string =>
  `${rounds} rounds of ${invocations} invocations after ${warmUp} rounds of warm-up, seed ${seed}: median [quartiles of the rounds]`;
