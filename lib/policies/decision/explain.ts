import { dateIn, daysAfter } from '../time/calendar.ts';
import type { Evaluation, LineEvaluation, TraceEntry } from '../evaluation.ts';
import type { Facts, LineFacts } from '../facts.ts';
import type { Policy } from '../policy.ts';
import { inWords } from './fact-words.ts';

/** The sentence of a rule, as its policy puts it, with the rule's id to look it up. */
type Told = (rule: string) => string;

const opening: Readonly<Record<Evaluation['verdict'], string>> = {
  approved: 'The return is approved.',
  rejected: 'The return is refused.',
  needs_review: 'Somebody has to decide on the return.',
};

const months = [
  'January',
  'February',
  'March',
  'April',
  'May',
  'June',
  'July',
  'August',
  'September',
  'October',
  'November',
  'December',
];

/** The last day of a window, as the customer counts days: `18 December 2026`. */
const lastDay = (end: string, { order }: Facts): string => {
  const [year, month, day] = daysAfter(dateIn(end, order.timeZone), -1).split('-');
  return `${Number(day)} ${months[Number(month) - 1] ?? ''} ${year}`;
};

const listed = (parts: readonly string[], join: 'and' | 'or'): string =>
  parts.length < 2 ? parts.join('') : `${parts.slice(0, -1).join(', ')} ${join} ${parts.at(-1)}`;

/** A Map, because `constructor` is a rule's id like any other. */
const integrity: ReadonlyMap<string, string> = new Map([
  ['facts.completeness', 'The order is known only in part.'],
  ['integrity.delivered', 'It was never delivered.'],
]);

/** Whether an entry of the trace speaks against a line. */
const isAgainst = ({ result, overruledBy, effect, phase }: TraceEntry): boolean => {
  if (phase === 'facts') return result === 'matched';
  if (result !== 'matched' || overruledBy !== undefined || effect === undefined) return false;
  if ('expired' in effect) return effect.expired;
  return 'lacks' in effect ? effect.lacks.length > 0 : 'deny' in effect && effect.deny !== undefined;
};

const isOf = (entry: TraceEntry, index: number): boolean => (entry.line ?? index) === index;

const reason = ({ rule, effect }: TraceEntry, facts: Facts, told: Told): string => {
  if (effect !== undefined && 'end' in effect) return `${told(rule)} That was until ${lastDay(effect.end, facts)}.`;
  if (effect !== undefined && 'lacks' in effect) return `${told(rule)} Still missing: ${listed(effect.lacks, 'and')}.`;
  return integrity.get(rule) ?? told(rule);
};

const reasonsOf = ({ trace }: Evaluation, index: number, facts: Facts, told: Told): readonly string[] =>
  trace.filter((entry) => isOf(entry, index) && isAgainst(entry)).map((entry) => reason(entry, facts, told));

/** A word of the contract, as people write it. */
const named = (word: string): string => word.replaceAll('_', ' ');

const resolution = ({ resolutions, codes }: LineEvaluation, { resolution: asked }: LineFacts): readonly string[] => {
  if (!codes.includes('resolution_not_allowed')) return [];
  return resolutions.length === 0
    ? [`Asked for: ${named(asked)}. Nothing can be.`]
    : [`Asked for: ${named(asked)}. What can be: ${listed(resolutions.map(named), 'or')}.`];
};

/** What a law has to do with a line: it gives what the policy would not, or might. */
const law = ({ verdict, right }: LineEvaluation): readonly string[] => {
  if (right === undefined) return [];
  return verdict === 'eligible'
    ? [`The law gives the customer that right whatever the policy says (${right}).`]
    : [`The law may give the customer a right all the same (${right}).`];
};

const verdict = (line: LineEvaluation, asked: LineFacts, facts: Facts): string => {
  const units = `${asked.quantity} × ${asked.sku ?? 'an item without SKU'}`;
  if (line.verdict === 'ineligible') return `${units} cannot be returned.`;
  if (line.verdict === 'needs_review') return `${units} has to be looked at.`;
  // By the policy's window it could be over: a right goes on without it.
  return line.returnableUntil === undefined || line.right !== undefined
    ? `${units} can be returned.`
    : `${units} can be returned until ${lastDay(line.returnableUntil, facts)}.`;
};

/** More nobody reads of one line: of hundreds of rules each may have a long text. */
const longest = 4_000;

const cut = (sentences: string): string =>
  sentences.length <= longest ? sentences : `${sentences.slice(0, longest - 1).toWellFormed()}…`;

const lineSentences = (evaluation: Evaluation, index: number, facts: Facts, told: Told): string => {
  const line = evaluation.lines[index];
  const asked = facts.lines[index];
  if (line === undefined || asked === undefined) return '';
  const missing = line.missing.length === 0 ? [] : [`Not known is ${listed(line.missing.map(inWords), 'and')}.`];
  const sentences = [
    verdict(line, asked, facts),
    ...reasonsOf(evaluation, index, facts, told),
    ...resolution(line, asked),
    ...missing,
    ...law(line),
  ];
  return cut(sentences.join(' '));
};

/** The fees that rules take. */
const fees = ({ trace }: Evaluation, told: Told): readonly string[] =>
  trace.flatMap(({ rule, result, effect, overruledBy }) =>
    result === 'matched' && overruledBy === undefined && effect !== undefined && 'fee' in effect
      ? [`There is a fee for ${named(effect.fee)}. ${told(rule)}`]
      : [],
  );

/** Why somebody has to approve what nothing else speaks against. */
const approval = ({ verdict: of, approval: how, trace }: Evaluation, told: Told): readonly string[] => {
  if (of !== 'needs_review' || how !== 'manual') return [];
  const rules = trace.flatMap(({ rule, result, effect }) =>
    result === 'matched' && effect !== undefined && 'approval' in effect && effect.approval === 'manual' ? [rule] : [],
  );
  return rules.length === 0 ? ['No rule approves it without somebody looking at it.'] : rules.map(told);
};

/**
 * A decision in sentences that can be read to the customer: what, and by which rules of the policy. The first is of the
 * return, then there is one text for each line, then those of fees and of the approval.
 */
export const explain = ({ rules }: Policy, facts: Facts, evaluation: Evaluation): readonly string[] => {
  const texts = new Map(rules.map(({ id, text }) => [id, text]));
  const told: Told = (rule) => `${(texts.get(rule) ?? rule).replace(/\.$/, '')} [${rule}].`;
  return [
    opening[evaluation.verdict],
    ...facts.lines.map((_, index) => lineSentences(evaluation, index, facts, told)),
    ...fees(evaluation, told),
    ...approval(evaluation, told),
  ];
};
