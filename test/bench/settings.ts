/** How much to measure, and in which order. A bench that has no use for one of these leaves it alone. */
export type Settings = {
  readonly rounds: number;
  /** Rounds before those that count. */
  readonly warmUp: number;
  /** In each round, of each candidate. */
  readonly invocations: number;
  readonly seed: number;
};

/** A part of a result: a table as it is read, what it says of the targets, and the same for programs. */
export type Section = {
  readonly title: string;
  /** Rows of cells; the first is the head. */
  readonly table: readonly (readonly string[])[];
  /** Lines below it. */
  readonly remarks?: readonly string[];
  readonly data: unknown;
};

export type Bench = {
  readonly summary: string;
  /** npm packages that it compares with, whose versions belong to the result. */
  readonly packages: readonly string[];
  readonly defaults: Settings;
  /** What was done, and what the figures are. */
  readonly describe: (settings: Settings) => string;
  /** Measures; tells of its progress meanwhile. */
  readonly run: (settings: Settings, tell: (progress: string) => void) => Promise<readonly Section[]>;
};

export const roundsText = ({ rounds, warmUp, invocations, seed }: Settings): string =>
  `${rounds} rounds of ${invocations} invocations after ${warmUp} rounds of warm-up, seed ${seed}: median [quartiles of the rounds]`;
