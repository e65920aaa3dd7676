import type { Comparison } from './statistics.ts';

/** How much to measure, and in which order. */
export type Settings = {
  readonly rounds: number;
  /** Rounds before those that count. */
  readonly warmUp: number;
  /** In each round, of each candidate. */
  readonly invocations: number;
  readonly seed: number;
};

export type Bench = {
  readonly summary: string;
  /** npm packages that it compares with, whose versions belong to the result. */
  readonly packages: readonly string[];
  readonly defaults: Settings;
  /** Measures; tells of its progress meanwhile. */
  readonly run: (settings: Settings, tell: (progress: string) => void) => Promise<readonly Comparison[]>;
};
