import type { Evaluation, LineEvaluation, TraceEntry } from '../policies/evaluation.ts';
import type { FactName } from '../policies/fact-catalogue.ts';
import type { Facts, LineFacts } from '../policies/facts.ts';
import type { Policy, Rule } from '../policies/policy.ts';
import { dateIn, daysAfter } from '../policies/time/calendar.ts';
import type { FeeType } from '../returns/model/refund.ts';
import type { QuoteStep } from '../returns/money/quote.ts';
import { defaultLanguage, type Language } from '../returns/input-checks.ts';
import type { Catalogue } from './catalogue.ts';
import { catalogues } from './catalogues.ts';
import { type Formats, formatsFor, type ItemNames, itemText } from './formats.ts';
import { informationOf } from './information.ts';

/** What a step of a quote is, in one sentence. */
const stepDetail = ({ about }: Pick<QuoteStep, 'about'>, items: ItemNames, language: Language): string => {
  const catalogue = catalogues[language];
  if (about.kind === 'goods') return catalogue.goods(itemText(catalogue, about.quantity, items.get(about.orderLineId)));
  return about.kind === 'shipping' ? catalogue.shipping[about.share] : catalogue.steps[about.kind];
};

/** The steps of a quote as the contract has them: with a text in place of what they are about. */
export const stepViews = <Of extends Pick<QuoteStep, 'about'>>(
  steps: readonly Of[],
  items: ItemNames,
  language: Language,
): (Omit<Of, 'about'> & { detail: string })[] =>
  steps.map(({ about, ...step }) => ({ ...step, detail: stepDetail({ about }, items, language) }));

/** A decision, and what an order calls its lines. */
export type ExplainInput = {
  readonly policy: Policy;
  readonly facts: Facts;
  readonly evaluation: Evaluation;
  readonly items: ItemNames;
};

/** All that sentences in one language are made of. */
type ExplainContext = ExplainInput & {
  readonly say: Catalogue;
  readonly formats: Formats;
  /** What a rule says in the words of its policy; empty where those are in another language only. */
  readonly ruleText: (rule: string) => readonly string[];
};

/** More information than this is counted, not named. */
const maxMissing = 3;

/** A policy's text as one line that ends as a sentence does. */
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

/** The last day of a window, as the customer counts days. */
const lastDay = (end: string, { facts, formats }: ExplainContext): string =>
  formats.date(daysAfter(dateIn(end, facts.order.timeZone), -1));

/** Whether an entry of the trace speaks against a line. */
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
    return [...own, ...effect.lacks.map((one) => say.lacking[one === 'note' ? 'note' : 'evidence'])];
  return own.length === 0 ? [say.notAllowed] : own;
};

const lineReasonSentences = (index: number, speaker: ExplainContext): readonly string[] =>
  speaker.evaluation.trace
    .filter((entry) => (entry.line ?? index) === index && deniesLine(entry))
    .flatMap((entry) => reasonSentences(entry, speaker));

const resolutionSentences = (
  { resolutions, codes }: LineEvaluation,
  { resolution: asked }: LineFacts,
  { say, formats }: ExplainContext,
): readonly string[] => {
  if (!codes.includes('resolution_not_allowed')) return [];
  const others = formats.either(resolutions.map((one) => say.resolutions[one]));
  return [say.notPossible[asked], resolutions.length === 0 ? say.nothingPossible : say.possible(others)];
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

/** What a law has to do with a line: it gives what the policy would not, or might. */
const lawSentences = (
  { verdict: verdictSentence, right }: LineEvaluation,
  { say }: ExplainContext,
): readonly string[] => {
  if (right === undefined) return [];
  return [verdictSentence === 'eligible' ? say.lawGrants(right) : say.lawMayGrant(right)];
};

const verdict = (line: LineEvaluation, asked: LineFacts, speaker: ExplainContext): string => {
  const { say, items } = speaker;
  const item = itemText(say, asked.quantity, items.get(asked.orderLineId) ?? asked.sku);
  if (line.verdict === 'ineligible') return say.notReturnable(item);
  if (line.verdict === 'needs_review') return say.reviewedItem(item);
  // By the policy's window it could be over: a right goes on without it.
  return line.returnableUntil === undefined || line.right !== undefined
    ? say.returnable(item)
    : say.returnableUntil(item, lastDay(line.returnableUntil, speaker));
};

/** More nobody reads of one line: of hundreds of rules each may have a long text. */
const maxLength = 4_000;

const truncate = (sentences: string): string =>
  sentences.length <= maxLength ? sentences : `${sentences.slice(0, maxLength - 1).toWellFormed()}…`;

const lineSentences = (index: number, speaker: ExplainContext): string => {
  const line = speaker.evaluation.lines[index];
  const asked = speaker.facts.lines[index];
  if (line === undefined || asked === undefined) return '';
  const sentences = [
    verdict(line, asked, speaker),
    ...lineReasonSentences(index, speaker),
    ...resolutionSentences(line, asked, speaker),
    ...missingSentences(line, speaker),
    ...lawSentences(line, speaker),
  ];
  // Rules that deny for the same reason say it once.
  return truncate([...new Set(sentences)].join(' '));
};

const feeTypes = ['restocking', 'return_shipping', 'inspection'] as const satisfies readonly FeeType[];

/** The fees that the policy takes, each as a text of its own; none of a return that is declined. */
const feeSentences = ({ evaluation, facts, say, formats, ruleText }: ExplainContext): readonly string[] => {
  if (evaluation.verdict === 'rejected') return [];
  const money = (amount: number) => formats.money({ amount, currency: facts.order.currency });
  return feeTypes.flatMap((type) => {
    const fee = evaluation.fees[type];
    if (fee === undefined) return [];
    const { rule, bps = 0, amount = 0, cap } = fee;
    const sentence = {
      restocking: say.restockingFee(formats.share(bps)),
      return_shipping: say.returnShippingFee(money(amount)),
      inspection: say.inspectionDeduction(formats.share(bps)),
    };
    const limit = cap === undefined ? [] : [say.feeLimit(money(cap))];
    return [[sentence[type], ...limit, ...ruleText(rule)].join(' ')];
  });
};

/** Why somebody has to approve what nothing else speaks against. */
const approvalSentences = ({ evaluation, say, ruleText }: ExplainContext): readonly string[] => {
  const { verdict: of, approval: how, trace } = evaluation;
  if (of !== 'needs_review' || how !== 'manual') return [];
  const rules = trace.flatMap(({ rule, result, effect }) =>
    result === 'matched' && effect !== undefined && 'approval' in effect && effect.approval === 'manual'
      ? ruleText(rule)
      : [],
  );
  return rules.length === 0 ? [say.checkedFirst] : rules;
};

/**
 * A decision in sentences for the customer. The first is about the return, then there is one text for each line, then
 * those about fees and about the approval. Rules are told in the words of their policy where it has any in the language.
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
