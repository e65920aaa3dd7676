import type { Arrival, Refusal, Verdict } from '../../platform.ts';

/** Judges a delivery by the secret at hand, or by one read anew. */
type Judge = (arrival: Arrival, fresh: boolean, signal: AbortSignal) => Promise<Verdict>;

/** What another secret may mend. Keys, or a confirmation, that could not be had are not asked for twice at once. */
const mendable: ReadonlySet<string> = new Set<Refusal | 'no_usable_secret'>([
  'unknown_source',
  'signature_mismatch',
  'no_usable_secret',
]);

/** Verifies a delivery; one that does not fit is judged again with the secret read anew, after a rotation. */
export const throughRotation = async (judge: Judge, arrival: Arrival, signal: AbortSignal): Promise<Verdict> => {
  const verdict = await judge(arrival, false, signal);
  return 'reason' in verdict && mendable.has(verdict.reason) ? judge(arrival, true, signal) : verdict;
};
