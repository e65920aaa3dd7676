import type { Kind } from './parts.ts';

/**
 * Seconds of parts, measured once on 2 busy CPUs. They apply until a run on this machine is recorded. The time of a part
 * without an entry is unknown.
 */
export const expectedSeconds: Readonly<Record<Kind, Readonly<Record<string, number>>>> = {
  soak: { chaos: 150, concurrency: 93, crash: 661, guard: 75, medusa: 300 },
  fuzz: {},
  drill: {},
  chaos: {},
  busy: {},
  bench: { guard: 75, 'token-size': 109 },
  coverage: {},
};
