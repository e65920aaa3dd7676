/** What a policy settles for a return before a command is decided. */
export type Terms = {
  /** Whether a new return waits for someone to approve it. */
  readonly approval: 'manual' | 'auto';
  /** The version of the policy that said so; null where no policy did. */
  readonly policyVersion: string | null;
};

/** The terms of a deployment without policies: somebody looks at every return. */
export const defaultTerms: Terms = { approval: 'manual', policyVersion: null };
