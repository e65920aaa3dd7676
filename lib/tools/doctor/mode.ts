import type { SecretSource } from '../../access/secrets/source.ts';

export const modes = ['connected', 'standalone'] as const;
export type Mode = (typeof modes)[number];

/** The input of an examination besides the environment. */
export type DoctorInput = {
  /** A source that has read nothing yet, so that no row shows a cached value. */
  readonly source: SecretSource;
  /** Whether this runs as the deployed function. */
  readonly deployed: boolean;
};
