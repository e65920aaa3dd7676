import { isRecord } from '../../../api/record.ts';
import { percent } from '../../../components/fee-words.ts';
import english from '../../../texts/en/effect-words.json' with { type: 'json' };
import { fill } from '../../../texts/fill.ts';
import { formatMoney } from '../../../texts/format.ts';
import { texts } from '../../../texts/language.ts';
import { policyWord } from '../../../texts/policy-words.ts';
import brazilian from '../../../texts/pt-BR/effect-words.json' with { type: 'json' };
import portuguese from '../../../texts/pt/effect-words.json' with { type: 'json' };
import { listOf, type Members, type Rule, textOf } from '../document/document.ts';

const t = texts(english, portuguese, brazilian);

const valueList = (kind: 'value' | 'resolution', value: unknown): string =>
  listOf(value)
    .map((word) => policyWord(kind, textOf(word)))
    .join(', ');

/** Returns an amount of a document. An amount in the middle of a change may lack a currency. */
const moneyWords = (value: unknown): string => {
  if (!isRecord(value)) return textOf(value);
  const [amount, currency] = [value['amount'], textOf(value['currency'])];
  return typeof amount === 'number' && /^[A-Z]{3}$/.test(currency)
    ? formatMoney({ amount, currency })
    : `${textOf(amount)} ${currency}`;
};

/** Returns basis points of a document as a percentage. */
export const shareWords = (bps: unknown): string => (typeof bps === 'number' ? percent(bps) : '');

const feeWords = (fee: Members): string => {
  const type = policyWord('feeType', textOf(fee['type']));
  if (fee['type'] === 'promotion') return type;
  if (fee['amount'] !== undefined) return fill(t().fee, { type, how: moneyWords(fee['amount']) });
  const share = shareWords(fee['bps']);
  return fill(t().fee, {
    type,
    how: fee['cap'] === undefined ? share : fill(t().cap, { share, most: moneyWords(fee['cap']) }),
  });
};

const byField: Readonly<Record<string, (value: unknown, rule: Rule) => string>> = {
  window: (value) =>
    isRecord(value)
      ? fill(t().window, { days: textOf(value['days']), anchor: policyWord('value', textOf(value['anchor'])) })
      : '',
  deny: (value) => fill(t().deny, { code: textOf(value) }),
  block: (value) => fill(t().block, { list: textOf(value) }),
  exempts: (value) => fill(t().exempts, { phases: valueList('value', value) }),
  require: (value) => fill(t().require, { things: valueList('value', value) }),
  resolutions: (value) => fill(t().only, { list: valueList('resolution', value) }),
  fee: (value) => (isRecord(value) ? feeWords(value) : ''),
  returnless: () => t().returnless,
  shipping: (value) => fill(t().shipping, { how: policyWord('value', textOf(value)) }),
  shipByDays: (value) => fill(t().shipByDays, { days: textOf(value) }),
  inspection: (value) => fill(t().inspection, { how: policyWord('value', textOf(value)) }),
  refundTiming: (value) => fill(t().timing, { when: policyWord('value', textOf(value)) }),
  approval: (value, rule) =>
    value === 'reject'
      ? fill(t().deny, { code: textOf(rule['deny']) })
      : fill(t().approval, { how: policyWord('approval', textOf(value)) }),
};

/** Returns the effect of a rule in words. */
export const effectWords = (rule: Rule): string => {
  const field = Object.keys(byField).find((name) => name !== 'deny' && rule[name] !== undefined);
  if (field !== undefined) return byField[field]?.(rule[field], rule) ?? '';
  return rule['deny'] === undefined ? t().none : fill(t().deny, { code: textOf(rule['deny']) });
};
