import type { Kind } from './parts.ts';

/** Seconds of each part, measured once on 2 CPUs that had other work beside: used until a run is recorded. */
export const expectedSeconds: Readonly<Record<Kind, Readonly<Record<string, number>>>> = {
  soak: {},
  fuzz: {},
  bench: {},
  coverage: {},
};
