import { dateIn, daysAfter } from '../time/calendar.ts';
import type { Evaluation, LineEvaluation, TraceEntry } from '../evaluation.ts';
import type { Facts, LineFacts } from '../facts.ts';
import type { Policy } from '../policy.ts';

/** What speaks against a line or for a setting, as its policy puts it: the rule's text, and its id to look it up. */
type Told = (rule: string) => string;

const opening: Readonly<Record<Evaluation['verdict'], string>> = {
  approved: 'The return is approved.',
  rejected: 'The return is refused.',
  needs_review: 'Somebody has to decide on the return.',
};

const units = ({ quantity, sku }: LineFacts): string => `${quantity} × ${sku ?? 'an item without SKU'}`;

/** The last day of a window, as the customer counts days. */
const lastDay = (end: string, { order }: Facts): string => daysAfter(dateIn(end, order.timeZone), -1);

const integrity: Readonly<Record<string, string>> = {
  'facts.completeness': 'the order is known only in part',
  'integrity.delivered': 'it was never delivered',
};

/** Whether an entry of the trace speaks against a line. */
const isAgainst = ({ result, overruledBy, effect, phase }: TraceEntry): boolean => {
  if (phase === 'facts') return result === 'matched';
  if (result !== 'matched' || overruledBy !== undefined || effect === undefined) return false;
  if ('expired' in effect) return effect.expired;
  return 'lacks' in effect ? effect.lacks.length > 0 : 'deny' in effect && effect.deny !== undefined;
};

const isOf = (entry: TraceEntry, index: number): boolean => (entry.line ?? index) === index;

const reasonsOf = ({ trace }: Evaluation, index: number, facts: Facts, told: Told): readonly string[] =>
  trace
    .filter((entry) => isOf(entry, index) && isAgainst(entry))
    .map(({ rule, effect }) => {
      const built = integrity[rule];
      if (built !== undefined) return built;
      return effect !== undefined && 'end' in effect
        ? `${told(rule)} That was until ${lastDay(effect.end, facts)}.`
        : told(rule);
    });

const resolution = ({ resolutions, codes }: LineEvaluation): readonly string[] =>
  codes.includes('resolution_not_allowed')
    ? [`what may be asked for is ${resolutions.length === 0 ? 'nothing' : resolutions.join(', ')}`]
    : [];

const closing = (line: LineEvaluation, facts: Facts): readonly string[] => [
  ...(line.missing.length === 0 ? [] : [`not known: ${line.missing.join(', ')}`]),
  ...(line.right === undefined ? [] : [`the law counts for the customer: ${line.right}`]),
  ...(line.verdict === 'eligible' && line.returnableUntil !== undefined
    ? [`it may be returned until ${lastDay(line.returnableUntil, facts)}`]
    : []),
];

const says: Readonly<Record<LineEvaluation['verdict'], string>> = {
  eligible: 'may be returned',
  ineligible: 'may not be returned',
  needs_review: 'has to be looked at',
};

const lineSentence = (evaluation: Evaluation, index: number, facts: Facts, told: Told): string => {
  const line = evaluation.lines[index];
  const asked = facts.lines[index];
  if (line === undefined || asked === undefined) return '';
  const parts = [...reasonsOf(evaluation, index, facts, told), ...resolution(line), ...closing(line, facts)];
  return `${units(asked)} ${says[line.verdict]}${parts.length === 0 ? '.' : `: ${parts.join('; ')}`}`;
};

/** What a rule for the whole return settled: its fees, and why somebody has to approve it. */
const settled = ({ trace }: Evaluation, told: Told): readonly string[] =>
  trace.flatMap(({ rule, result, effect, overruledBy }) => {
    if (result !== 'matched' || effect === undefined || overruledBy !== undefined) return [];
    if ('fee' in effect) return [`A fee is taken (${effect.fee}): ${told(rule)}`];
    return 'approval' in effect && effect.approval !== 'auto' ? [told(rule)] : [];
  });

/** A decision in sentences, for whoever has to tell the customer: what, and by which rule of the policy. */
export const explain = ({ rules }: Policy, facts: Facts, evaluation: Evaluation): readonly string[] => {
  const texts = new Map(rules.map(({ id, text }) => [id, text]));
  const told: Told = (rule) => `${texts.get(rule) ?? rule} [${rule}]`;
  return [
    opening[evaluation.verdict],
    ...facts.lines.map((_, index) => lineSentence(evaluation, index, facts, told)),
    ...settled(evaluation, told),
  ];
};
