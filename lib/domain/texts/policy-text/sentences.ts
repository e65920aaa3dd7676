import type {
  Circumstance,
  Circumstances,
  Omission,
  PublishedRight,
  Statement,
} from '../../policies/published/statement.ts';
import type { Language } from '../../returns/input-checks.ts';
import type { Catalogue } from '../catalogue.ts';
import { catalogues } from '../catalogues.ts';
import { type Formats, formatsFor } from '../formats.ts';
import { reasonLabels } from '../reason-labels.ts';
import { de } from './de.ts';
import { en } from './en.ts';
import { es } from './es.ts';
import { fr } from './fr.ts';
import { pt } from './pt.ts';
import type { PolicyWords } from './words.ts';

const policyWords: Readonly<Record<Language, PolicyWords>> = { en, pt, es, de, fr };

/** The words and formats of a language. */
type Speaker = {
  readonly words: PolicyWords;
  readonly say: Catalogue;
  readonly formats: Formats;
  readonly language: Language;
};

const valueText = (fact: Circumstance['fact'], value: string, { words, language }: Speaker): string => {
  if (fact === 'line.reason') return words.quoted(reasonLabels.get(value)?.[language] ?? value);
  const isCommon = fact === 'line.fault' || fact === 'return.basis' || fact === 'order.saleType';
  return words.quoted((isCommon ? words.values[value] : undefined) ?? value);
};

const circumstanceText = (circumstance: Circumstance, speaker: Speaker): string => {
  const { words, formats } = speaker;
  const { fact } = circumstance;
  const isPositive = 'is' in circumstance;
  if (fact === 'line.finalSale') return isPositive ? words.finalSale.is : words.finalSale.isNot;
  const values = isPositive ? circumstance.is : circumstance.isNot;
  const list = formats.either(values.map((value) => valueText(fact, value, speaker)));
  return isPositive ? `${words.facts[fact]} ${list}` : words.otherThan(words.facts[fact], list);
};

const circumstancesText = (circumstances: Circumstances, speaker: Speaker): string =>
  circumstances
    .map((together) => together.map((circumstance) => circumstanceText(circumstance, speaker)).join(speaker.words.and))
    .join('; ');

type Window = Extract<Statement, { readonly kind: 'window' }>['window'];

const windowSentences = (window: Window, { words, formats }: Speaker): readonly string[] => {
  if (window === null) return [words.unlimited];
  const { anchor, days, roll, fallback, seasonal = [] } = window;
  const inDays = (count: number) => formats.plural(words.days, count);
  return [
    words.window(inDays(days), words.anchors[anchor]),
    ...(fallback === undefined ? [] : [words.fallback(inDays(fallback.days), words.anchors[fallback.anchor])]),
    ...(roll === 'next_working_day' ? [words.nextWorkingDay] : []),
    ...seasonal.map(({ from, to, until }) => words.season(formats.date(from), formats.date(to), formats.date(until))),
  ];
};

type Fee = Extract<Statement, { readonly kind: 'fee' }>['fee'];

const feeSentences = (fee: Fee, { words, say, formats }: Speaker): readonly string[] => {
  const { type, none, bps = 0, amount, cap, removedBy = [] } = fee;
  if (none === true) return [words.noFee[type]];
  const charged = {
    restocking: say.restockingFee(formats.share(bps)),
    return_shipping: amount === undefined ? '' : say.returnShippingFee(formats.money(amount)),
    inspection: say.inspectionDeduction(formats.share(bps)),
    promotion: say.promotionFee,
  };
  return [
    charged[type],
    ...(cap === undefined ? [] : [say.feeLimit(formats.money(cap))]),
    ...(removedBy.length === 0 ? [] : [words.removedBy(formats.either(removedBy))]),
  ];
};

const rightSentence = ({ law, claim, window }: PublishedRight, { words, formats }: Speaker): string => {
  const within = window?.within;
  const period =
    within === undefined
      ? undefined
      : 'days' in within
        ? formats.plural(words.days, within.days)
        : formats.plural(words.years, within.years);
  return words.right[claim === 'any' ? 'withdrawal' : 'fault'](law, period);
};

const contentOf = (statement: Statement, speaker: Speaker): readonly string[] => {
  const { words, say, formats } = speaker;
  switch (statement.kind) {
    case 'window':
      return windowSentences(statement.window, speaker);
    case 'exclusion':
      return [words.excluded];
    case 'requirement':
      return statement.require.map((requirement) => words.required[requirement]);
    case 'resolutions': {
      const named = statement.resolutions.filter((resolution) => resolution !== 'none');
      const list = formats.either(named.map((resolution) => say.resolutions[resolution]));
      return [
        named.length === 0 ? say.nothingPossible : words.resolutions(list),
        ...(statement.more === true ? [words.moreResolutions] : []),
      ];
    }
    case 'fee':
      return feeSentences(statement.fee, speaker);
    case 'right':
      return [rightSentence(statement.right, speaker)];
    case 'examination':
      return [words.examination[statement.of]];
  }
};

/** Returns one text for each statement, in plain sentences. */
export const policySentences = (statements: readonly Statement[], language: Language): readonly string[] => {
  const say = catalogues[language];
  const words = policyWords[language];
  const speaker: Speaker = { words, say, formats: formatsFor(say), language };
  return statements.map((statement) => {
    const { when, except } = statement;
    return [
      ...contentOf(statement, speaker),
      ...(when === undefined ? [] : [words.only(circumstancesText(when, speaker))]),
      ...(except === undefined ? [] : [words.except(circumstancesText(except, speaker))]),
    ].join(' ');
  });
};

/** Returns one sentence for each omission, for the shop. */
export const omissionSentences = (omitted: readonly Omission[], language: Language): readonly string[] => {
  const { kinds, reasons } = policyWords[language].omitted;
  return omitted.map(({ kind, why }) => `${kinds[kind]}: ${reasons[why]}.`);
};
