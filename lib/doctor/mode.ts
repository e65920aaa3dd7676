import type { SecretSource } from '../secrets/source.ts';

export const modes = ['connected', 'standalone'] as const;
export type Mode = (typeof modes)[number];

/** What either mode is examined with, beside the environment. */
export type DoctorInput = {
  /** One that has read nothing yet: what it remembers would be no finding. */
  readonly source: SecretSource;
  /** Whether this runs as the deployed function. */
  readonly deployed: boolean;
};
