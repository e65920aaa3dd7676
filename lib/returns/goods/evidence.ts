/** As many as a return may have. */
export const mostEvidence = 100;
