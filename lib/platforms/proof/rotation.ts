import type { Arrival, Refusal, Verdict } from '../platform.ts';

/** Judges a delivery by the secret at hand, or by one read anew. */
type Judge = (arrival: Arrival, fresh: boolean, signal: AbortSignal) => Promise<Verdict>;

/** What no other secret would mend. */
const lasting: ReadonlySet<Refusal> = new Set(['signature_missing', 'signature_expired']);

/** Verifies a delivery; one that does not fit is judged again with the secret read anew, after a rotation. */
export const throughRotation = async (judge: Judge, arrival: Arrival, signal: AbortSignal): Promise<Verdict> => {
  const verdict = await judge(arrival, false, signal);
  const mayBeRotated = verdict.kind === 'unverifiable' || (verdict.kind === 'refused' && !lasting.has(verdict.reason));
  return mayBeRotated ? judge(arrival, true, signal) : verdict;
};
