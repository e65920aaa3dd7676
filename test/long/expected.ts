import type { Kind } from './parts.ts';

/**
 * Seconds of parts, measured once on 2 CPUs with other work beside: used until a run on this machine is recorded. Of a part
 * without an entry the runner says that its time is unknown.
 */
export const expectedSeconds: Readonly<Record<Kind, Readonly<Record<string, number>>>> = {
  soak: { concurrency: 93, crash: 661 },
  fuzz: {},
  bench: { 'token-size': 109 },
  coverage: {},
};
