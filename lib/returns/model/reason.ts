import type { Resolution } from './return.ts';

/** The party that is responsible for the return of a line. */
export type Fault = 'customer' | 'merchant' | 'carrier' | 'none';

/** A reason in its current version. Version 0 is a built-in reason that the shop has not changed. */
export type ReasonDefinition = ReasonFacts & { readonly group: string; readonly version: number };
/** The settings of a reason. */
export type ReasonFacts = {
  /** `group.reason`, or only a group. */
  readonly code: string;
  /** Labels by language tag (BCP 47). */
  readonly labels: Readonly<Record<string, string>>;
  readonly fault: Fault;
  /** Whether a line with this reason requires a note. */
  readonly noteRequired: boolean;
  /** Whether a line with this reason requires an attachment before it is approved. */
  readonly evidenceRequired: boolean;
  /** The resolutions that a line with this reason may request. */
  readonly resolutions: readonly Resolution[];
  /** Whether new returns may use this reason. */
  readonly active: boolean;
};

/** Reasons by their codes. It is a Map because `__proto__` is a valid code. */
export type Reasons = ReadonlyMap<string, ReasonDefinition>;
