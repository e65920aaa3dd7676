import type { FeeType } from '../returns/model/refund.ts';
import type { QuoteStep } from '../returns/money/quote-parts.ts';
import type { Resolution } from '../returns/model/return.ts';
import type { Information } from './information.ts';

/** A text for each plural form of a language; `other` is the default. `{n}` is replaced by the number. */
export type PluralForms = { readonly other: string } & Readonly<Partial<Record<Intl.LDMLPluralRule, string>>>;

/** A sentence around one text that is already in its language. */
type Sentence = (part: string) => string;

type ShippingShareRule = Extract<QuoteStep['about'], { readonly kind: 'shipping' }>['share'];

/**
 * All texts for customers in one language. A language without one of them does not compile. Each sentence has one
 * thought. It avoids unit counts and grammatical gender, because titles are the shop's own.
 */
export type Catalogue = {
  /** The locale of Intl for numbers, amounts, dates and lists. */
  readonly locale: string;

  readonly approved: string;
  readonly rejected: string;
  readonly reviewed: string;
  /** A return that needs a review although no rule denies it. */
  readonly checkedFirst: string;
  /** The same, where a rule reads the conduct of the customer. It names neither rule nor conduct. */
  readonly personExamines: string;

  /** An item without a title and a SKU. */
  readonly unnamedItem: string;
  readonly returnable: Sentence;
  readonly returnableUntil: (item: string, date: string) => string;
  readonly notReturnable: Sentence;
  readonly reviewedItem: Sentence;

  readonly orderIncomplete: string;
  readonly notDelivered: string;
  /** Used when the denying rule has no text in this language. */
  readonly notAllowed: string;
  readonly windowEnded: Sentence;
  readonly lacking: Readonly<Record<'note' | 'evidence', string>>;
  readonly notPossible: Readonly<Record<Resolution, string>>;
  readonly possible: Sentence;
  readonly nothingPossible: string;
  readonly resolutions: Readonly<Record<Resolution, string>>;
  readonly missing: Sentence;
  readonly moreMissing: PluralForms;
  readonly information: Readonly<Record<Information, string>>;
  readonly lawGrants: Sentence;
  readonly lawMayGrant: Sentence;

  /** A fee that the law removes, by its share or amount. */
  readonly feeRemoved: Readonly<Record<FeeType, (part: string, law: string) => string>>;
  readonly restockingFee: Sentence;
  readonly feeLimit: Sentence;
  readonly returnShippingFee: Sentence;
  readonly inspectionDeduction: Sentence;
  readonly promotionFee: string;

  readonly goods: Sentence;
  readonly steps: Readonly<Record<Exclude<QuoteStep['rule'], 'goods' | 'shipping'>, string>>;
  readonly shipping: Readonly<Record<ShippingShareRule, string>>;
};
