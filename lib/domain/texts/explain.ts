import type { LimitedEvaluation, LimitedFees, LineEvaluation, TraceEntry } from '../policies/evaluation.ts';
import { type FactName, isOfConduct } from '../policies/fact-catalogue.ts';
import type { Facts, LineFacts } from '../policies/facts.ts';
import { factsIn, type Policy, type Rule } from '../policies/policy.ts';
import { dateIn, daysAfter } from '../policies/time/calendar.ts';
import type { FeeType } from '../returns/model/refund.ts';
import type { QuoteStep } from '../returns/money/quote-parts.ts';
import { defaultLanguage, type Language } from '../returns/input-checks.ts';
import type { Catalogue } from './catalogue.ts';
import { catalogues } from './catalogues.ts';
import { type Formats, formatsFor, type ItemNames, itemText } from './formats.ts';
import { informationOf } from './information.ts';

/** Describes a step of a quote in one sentence. */
const stepDetail = ({ about }: Pick<QuoteStep, 'about'>, items: ItemNames, language: Language): string => {
  const catalogue = catalogues[language];
  if (about.kind === 'removed') {
    const { type, amount, law } = about.fee;
    return catalogue.feeRemoved[type](formatsFor(catalogue).money(amount), law);
  }
  if (about.kind === 'goods') return catalogue.goods(itemText(catalogue, about.quantity, items.get(about.orderLineId)));
  return about.kind === 'shipping' ? catalogue.shipping[about.share] : catalogue.steps[about.kind];
};

/** Makes the wire form of quote steps, with a text in place of the subject. */
export const stepViews = <Of extends Pick<QuoteStep, 'about'>>(
  steps: readonly Of[],
  items: ItemNames,
  language: Language,
): (Omit<Of, 'about'> & { detail: string })[] =>
  steps.map(({ about, ...step }) => ({ ...step, detail: stepDetail({ about }, items, language) }));

/** A decision, and the names of the order lines. */
export type ExplainInput = {
  readonly policy: Policy;
  readonly facts: Facts;
  readonly evaluation: LimitedEvaluation;
  readonly items: ItemNames;
};

/** The inputs of sentences in one language. */
type ExplainContext = ExplainInput & {
  readonly say: Catalogue;
  readonly formats: Formats;
  /** Returns the text of a rule; an empty list when it exists only in other languages. */
  readonly ruleText: (rule: string) => readonly string[];
};

/** Further missing information is counted and not named. */
const maxMissing = 3;

/** Returns a policy's text on one line, with a full stop. */
const asSentence = (text: string): string => {
  const line = text.replaceAll(/\s+/gu, ' ').trim();
  return /[.!?…]$/u.test(line) ? line : `${line}.`;
};

const textIn = ({ text, texts = {} }: Rule, language: Language, ofPolicy: Language): string | undefined =>
  texts[language] ?? (language === ofPolicy ? text : undefined);

const ruleTexts = ({ rules, language: ofPolicy = defaultLanguage }: Policy, language: Language) => {
  const byId = new Map(rules.map((rule) => [rule.id, textIn(rule, language, ofPolicy)]));
  return (rule: string): readonly string[] => {
    const text = byId.get(rule)?.trim() ?? '';
    return text === '' ? [] : [asSentence(text)];
  };
};

/** Returns the last day of a window, in the customer's time zone. */
const lastDay = (end: string, { facts, formats }: ExplainContext): string =>
  formats.date(daysAfter(dateIn(end, facts.order.timeZone), -1));

/** Returns whether a trace entry denies a line. */
const deniesLine = ({ result, overruledBy, effect, phase }: TraceEntry): boolean => {
  if (phase === 'facts') return result === 'matched';
  if (result !== 'matched' || overruledBy !== undefined || effect === undefined) return false;
  if ('expired' in effect) return effect.expired;
  return 'lacks' in effect ? effect.lacks.length > 0 : 'deny' in effect && effect.deny !== undefined;
};

const reasonSentences = ({ rule, phase, effect }: TraceEntry, speaker: ExplainContext): readonly string[] => {
  const { say, ruleText } = speaker;
  if (phase === 'facts') return [say.orderIncomplete];
  if (phase === 'integrity') return [say.notDelivered];
  const own = ruleText(rule);
  if (effect !== undefined && 'end' in effect) return [...own, say.windowEnded(lastDay(effect.end, speaker))];
  if (effect !== undefined && 'lacks' in effect)
    return [...own, ...effect.lacks.map((requirement) => say.lacking[requirement === 'note' ? 'note' : 'evidence'])];
  return own.length === 0 ? [say.notAllowed] : own;
};

const lineReasonSentences = (index: number, speaker: ExplainContext): readonly string[] =>
  speaker.evaluation.trace
    .filter((entry) => (entry.line ?? index) === index && deniesLine(entry))
    .flatMap((entry) => reasonSentences(entry, speaker));

const resolutionSentences = (
  { resolutions, codes }: LineEvaluation,
  { resolution: requested }: LineFacts,
  { say, formats }: ExplainContext,
): readonly string[] => {
  if (!codes.includes('resolution_not_allowed')) return [];
  const others = formats.either(resolutions.map((resolution) => say.resolutions[resolution]));
  return [say.notPossible[requested], resolutions.length === 0 ? say.nothingPossible : say.possible(others)];
};

const missingSentences = ({ missing: facts }: LineEvaluation, { say, formats }: ExplainContext): readonly string[] => {
  // An evaluation names only facts of the catalogue.
  const names = [...new Set(facts.map((fact) => informationOf[fact as FactName]))];
  const more = names.length - maxMissing;
  return [
    ...names.slice(0, maxMissing).map((name) => say.missing(say.information[name])),
    ...(more > 0 ? [formats.plural(say.moreMissing, more)] : []),
  ];
};

/** Returns the sentences about a law that grants a line, or may grant it. */
const lawSentences = (
  { verdict: verdictSentence, right }: LineEvaluation,
  { say }: ExplainContext,
): readonly string[] => {
  if (right === undefined) return [];
  return [verdictSentence === 'eligible' ? say.lawGrants(right) : say.lawMayGrant(right)];
};

const verdict = (line: LineEvaluation, requested: LineFacts, speaker: ExplainContext): string => {
  const { say, items } = speaker;
  const item = itemText(say, requested.quantity, items.get(requested.orderLineId) ?? requested.sku);
  if (line.verdict === 'ineligible') return say.notReturnable(item);
  if (line.verdict === 'needs_review') return say.reviewedItem(item);
  // The policy's window may end before a right does.
  return line.returnableUntil === undefined || line.right !== undefined
    ? say.returnable(item)
    : say.returnableUntil(item, lastDay(line.returnableUntil, speaker));
};

const feeTypes = ['restocking', 'return_shipping', 'inspection', 'promotion'] as const satisfies readonly FeeType[];

/** Returns one text for each fee, and for each one that the law removes. */
const feeTexts = ({ fees = {}, removedFees = {} }: LimitedFees, speaker: ExplainContext): readonly string[] => {
  const { facts, say, formats, ruleText } = speaker;
  const money = (amount: number) => formats.money({ amount, currency: facts.order.currency });
  return feeTypes.flatMap((type) => {
    const removed = removedFees[type];
    if (removed !== undefined) {
      const part = removed.bps === undefined ? money(removed.amount ?? 0) : formats.share(removed.bps);
      return [say.feeRemoved[type](part, removed.law)];
    }
    const fee = fees[type];
    if (fee === undefined) return [];
    const { rule, bps = 0, amount = 0, cap } = fee;
    const sentence = {
      restocking: say.restockingFee(formats.share(bps)),
      return_shipping: say.returnShippingFee(money(amount)),
      inspection: say.inspectionDeduction(formats.share(bps)),
      promotion: say.promotionFee,
    };
    const limit = cap === undefined ? [] : [say.feeLimit(money(cap))];
    return [[sentence[type], ...limit, ...ruleText(rule)].join(' ')];
  });
};

/** Returns the texts of the fees of the whole return; none for a declined return. */
const feeSentences = (speaker: ExplainContext): readonly string[] =>
  speaker.evaluation.verdict === 'rejected' ? [] : feeTexts(speaker.evaluation, speaker);

/** The maximum length of the text of one line. Hundreds of rules may each have a long text. */
const maxLength = 4_000;

const truncate = (sentences: string): string =>
  sentences.length <= maxLength ? sentences : `${sentences.slice(0, maxLength - 1).toWellFormed()}…`;

const lineSentences = (index: number, speaker: ExplainContext): string => {
  const line = speaker.evaluation.lines[index];
  const requested = speaker.facts.lines[index];
  if (line === undefined || requested === undefined) return '';
  const sentences = [
    verdict(line, requested, speaker),
    ...lineReasonSentences(index, speaker),
    ...resolutionSentences(line, requested, speaker),
    ...missingSentences(line, speaker),
    ...lawSentences(line, speaker),
    ...(line.verdict === 'ineligible' ? [] : feeTexts(line, speaker)),
  ];
  // Rules with the same text are explained once.
  return truncate([...new Set(sentences)].join(' '));
};

/** Returns the ids of the rules that read the conduct of the customer. */
const conductRules = ({ rules, conditions = {} }: Policy): ReadonlySet<string> =>
  new Set(rules.flatMap(({ id, when }) => (when && factsIn(when, conditions).some(isOfConduct) ? [id] : [])));

/**
 * Returns why an approval is needed although no rule denies the return. No sentence tells a customer of a rule on their
 * conduct: it would accuse them before a person has looked.
 */
const approvalSentences = ({ evaluation, policy, say, ruleText }: ExplainContext): readonly string[] => {
  const { verdict: of, approval: how, trace } = evaluation;
  if (of !== 'needs_review' || how !== 'manual') return [];
  const ofConduct = conductRules(policy);
  const rules = trace.flatMap(({ rule, result, effect }) => {
    if (result !== 'matched' || effect === undefined || !('approval' in effect) || effect.approval !== 'manual')
      return [];
    return ofConduct.has(rule) ? [say.personExamines] : ruleText(rule);
  });
  return rules.length === 0 ? [say.checkedFirst] : [...new Set(rules)];
};

/**
 * Explains a decision to the customer in sentences. The first text is about the return. One text for each line follows,
 * then the fees and the approval. Rules are explained in the words of their policy, where it has a text in the
 * language.
 */
export const explain = (decided: ExplainInput, language: Language): readonly string[] => {
  const say = catalogues[language];
  const ruleText = ruleTexts(decided.policy, language);
  const speaker = { ...decided, say, formats: formatsFor(say), ruleText };
  const opening = { approved: say.approved, rejected: say.rejected, needs_review: say.reviewed };
  return [
    opening[decided.evaluation.verdict],
    ...decided.facts.lines.map((_, index) => lineSentences(index, speaker)),
    ...feeSentences(speaker),
    ...approvalSentences(speaker),
  ];
};
