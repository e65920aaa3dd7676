import type { WireFault } from '../../../../lib/tools/local/shops/faults.ts';

/** The faults of the wire that end at once. */
export const wireFaults: readonly WireFault[] = [
  'answer_lost',
  'cut_before',
  'late',
  { status: 502, carriedOut: true },
  { status: 503, carriedOut: false },
];
