import type { OmissionReason, PublicFact, Statement } from '../../policies/published/statement.ts';
import type { Anchor } from '../../policies/policy.ts';
import type { FeeType } from '../../returns/model/refund.ts';
import type { PluralForms } from '../catalogue.ts';

type Examination = Extract<Statement, { readonly kind: 'examination' }>['of'];

/** The words of a published policy in one language. Each sentence has one thought. */
export type PolicyWords = {
  /** Names of facts before their values. A final sale has no value. */
  readonly facts: Readonly<Record<Exclude<PublicFact, 'line.finalSale'>, string>>;
  readonly finalSale: { readonly is: string; readonly isNot: string };
  /** Values of facts that are the same in every shop. */
  readonly values: Readonly<Record<string, string>>;
  readonly quoted: (value: string) => string;
  readonly otherThan: (fact: string, values: string) => string;
  readonly and: string;
  readonly only: (circumstances: string) => string;
  readonly except: (circumstances: string) => string;

  readonly unlimited: string;
  readonly days: PluralForms;
  readonly anchors: Readonly<Record<Anchor, string>>;
  readonly window: (days: string, anchor: string) => string;
  readonly fallback: (days: string, anchor: string) => string;
  readonly nextWorkingDay: string;
  readonly season: (from: string, to: string, until: string) => string;

  readonly excluded: string;
  readonly required: Readonly<Record<'note' | 'evidence', string>>;
  readonly resolutions: (list: string) => string;
  readonly moreResolutions: string;
  readonly noFee: Readonly<Record<FeeType, string>>;
  readonly removedBy: (laws: string) => string;
  readonly years: PluralForms;
  readonly right: Readonly<Record<'withdrawal' | 'fault', (law: string, period: string | undefined) => string>>;
  readonly examination: Readonly<Record<Examination, string>>;
  /** What a text does not say, and why. */
  readonly omitted: {
    readonly kinds: Readonly<Record<Statement['kind'], string>>;
    readonly reasons: Readonly<Record<OmissionReason, string>>;
  };
};
