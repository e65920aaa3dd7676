import type { LineVerdict } from './evaluation.ts';

/** Verdicts on a line as the customer ranks them: the more the better. */
export const lineRank: Readonly<Record<LineVerdict, number>> = { ineligible: 0, needs_review: 1, eligible: 2 };
