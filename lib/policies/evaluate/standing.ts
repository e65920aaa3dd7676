import type { Instant } from '../../returns/model/order.ts';
import type { Resolution } from '../../returns/model/return.ts';
import type { Exemptible } from '../policy.ts';

/** What speaks against a line: a denial, or what nobody knows and somebody has to look at. */
export type Objection = {
  readonly code: string;
  /** Facts that were missing, where it is not known. */
  readonly missing: readonly string[];
};

/** Where a line stands while its policy is gone through, phase by phase. */
export type Standing = {
  /** By the contract's phases; no policy is asked about these two. */
  readonly partial: boolean;
  readonly undelivered: boolean;
  readonly denials: Objection[];
  readonly reviews: Objection[];
  resolutions: readonly Resolution[];
  returnableUntil: Instant | undefined;
};

/** Phases that an allow list took out of the way, and those that it might have, with the facts that would tell. */
export type Exemptions = {
  readonly certain: readonly Exemptible[];
  readonly possible: Readonly<Partial<Record<Exemptible, readonly string[]>>>;
};

const nothing: readonly string[] = [];

/** Speaks against a line, or asks for somebody to look at it where the line might be exempt. */
export const deny = (standing: Standing, code: string, mayBeExempt?: readonly string[]): void => {
  if (mayBeExempt === undefined) standing.denials.push({ code, missing: nothing });
  else standing.reviews.push({ code: 'needs_review', missing: mayBeExempt });
};

/** Asks for somebody to look at a line. */
export const review = (standing: Standing, missing: readonly string[], code = 'needs_review'): void => {
  standing.reviews.push({ code, missing });
};
