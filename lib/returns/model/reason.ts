import type { Resolution } from './return.ts';

/** Who has to answer for it that a line comes back. */
export type Fault = 'customer' | 'merchant' | 'carrier' | 'none';

/** A reason as it stands: 0 is the version of a built-in one that nobody has changed. */
export type ReasonDefinition = ReasonFacts & { readonly group: string; readonly version: number };
/** What a shop says of a reason. */
export type ReasonFacts = {
  /** `group.reason`, or a group alone. */
  readonly code: string;
  /** Texts for people, by language tag (BCP 47). */
  readonly labels: Readonly<Record<string, string>>;
  readonly fault: Fault;
  /** Whether whoever asks for the return must say more in words. */
  readonly noteRequired: boolean;
  /** Whether a line is approved only once there is an attachment that shows something of it. */
  readonly evidenceRequired: boolean;
  /** What lines that come back for it may ask for. */
  readonly resolutions: readonly Resolution[];
  /** Whether new returns may give it. */
  readonly active: boolean;
};

/** Reasons by their codes. A Map, because `__proto__` is a code like any other. */
export type Reasons = ReadonlyMap<string, ReasonDefinition>;
