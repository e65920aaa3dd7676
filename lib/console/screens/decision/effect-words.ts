import { formatMoney, formatNumber } from '../../texts/format.ts';
import { hasCodeText, policyWord } from '../../texts/policy-words.ts';
import { currencyOf, type Facts, lastDay } from './facts.ts';
import { t } from './texts.ts';
import { fill } from '../../texts/fill.ts';

type Effect = Readonly<Record<string, unknown>>;

const textOf = (value: unknown): string => (typeof value === 'string' ? value : JSON.stringify(value));

const listWords = (value: unknown, kind: 'value' | 'resolution'): string =>
  Array.isArray(value) ? value.map((code) => policyWord(kind, textOf(code))).join(', ') : '';

const denyWords = (code: unknown): string => {
  const text = textOf(code);
  return hasCodeText(text) ? policyWord('code', text) : `${policyWord('setting', 'deny')}: ${text}`;
};

const feeWords = ({ fee, bps, amount, cap }: Effect, currency: string): string => {
  const parts = [
    ...(typeof bps === 'number' ? [formatNumber(bps / 10_000, { style: 'percent', maximumFractionDigits: 2 })] : []),
    ...(typeof amount === 'number' ? [formatMoney({ amount, currency })] : []),
    ...(typeof cap === 'number' ? [fill(t().atMost, { amount: formatMoney({ amount: cap, currency }) })] : []),
  ];
  return `${policyWord('feeType', textOf(fee))}: ${parts.join(', ')}`;
};

const setWords = (set: unknown): string =>
  Object.entries(typeof set === 'object' && set !== null ? set : {})
    .map(([name, value]) =>
      value === true
        ? policyWord('setting', name)
        : `${policyWord('setting', name)}: ${typeof value === 'string' ? policyWord('value', value) : textOf(value)}`,
    )
    .join(', ');

/** Returns the effect of an entry of a trace in words. An effect of a later release is shown as JSON. */
export const traceEffect = (effect: Effect, facts: Facts): string => {
  const words = t().effects;
  const { deny, approval, end, expired, lacks, exempts, resolutions, fee, set } = effect;
  if (approval !== undefined && deny === undefined)
    return `${policyWord('setting', 'approval')}: ${policyWord('approval', textOf(approval))}`;
  if (deny !== undefined) return denyWords(deny);
  if (typeof end === 'string') return fill(expired === true ? words.expired : words.open, { end: lastDay(end, facts) });
  if (Array.isArray(lacks))
    return lacks.length === 0 ? words.lacksNothing : fill(words.lacks, { things: listWords(lacks, 'value') });
  if (exempts !== undefined) return `${policyWord('setting', 'exempts')}: ${listWords(exempts, 'value')}`;
  if (resolutions !== undefined)
    return `${policyWord('setting', 'resolutions')}: ${listWords(resolutions, 'resolution')}`;
  if (fee !== undefined) return feeWords(effect, currencyOf(facts));
  return set === undefined ? JSON.stringify(effect) : setWords(set);
};
