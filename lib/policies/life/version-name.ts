import type { Candidate } from './in-force.ts';

/** How a version is named in returns and their histories. */
export const versionName = ({ policyId, version }: Candidate): string => `${policyId}/${version}`;
