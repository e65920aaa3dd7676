import { formatMoney, formatNumber } from '../../../texts/format.ts';
import { texts } from '../../../texts/language.ts';
import { policyWord } from '../../../texts/policy-words.ts';
import { isRecord } from '../../../api/record.ts';
import { listOf, type Members, type Rule, textOf } from '../document/document.ts';

const t = texts(
  {
    window: (days: string, anchor: string) => `${days} days from ${anchor}`,
    deny: (code: string) => `deny: ${code}`,
    block: (list: string) => `deny customers of the list “${list}”`,
    exempts: (phases: string) => `skip the ${phases}`,
    require: (things: string) => `require ${things}`,
    only: (list: string) => `only ${list}`,
    returnless: 'the customer keeps the goods',
    shipping: (how: string) => `refund of shipping costs: ${how}`,
    shipByDays: (days: string) => `send within ${days} days`,
    inspection: (how: string) => `inspection ${how}`,
    timing: (when: string) => `refund is due when ${when}`,
    approval: (how: string) => `approval: ${how}`,
    fee: (type: string, how: string) => `${type}: ${how}`,
    cap: (share: string, most: string) => `${share}, at most ${most}`,
    none: 'no effect',
  },
  {
    window: (days, anchor) => `${days} dias desde ${anchor}`,
    deny: (code) => `negar: ${code}`,
    block: (list) => `negar clientes da lista “${list}”`,
    exempts: (phases) => `ignorar ${phases}`,
    require: (things) => `exigir ${things}`,
    only: (list) => `só ${list}`,
    returnless: 'o cliente fica com o artigo',
    shipping: (how) => `reembolso dos portes: ${how}`,
    shipByDays: (days) => `enviar em ${days} dias`,
    inspection: (how) => `inspeção ${how}`,
    timing: (when) => `reembolso devido quando ${when}`,
    approval: (how) => `aprovação: ${how}`,
    fee: (type, how) => `${type}: ${how}`,
    cap: (share, most) => `${share}, no máximo ${most}`,
    none: 'sem efeito',
  },
  { returnless: 'o cliente fica com o item', shipping: (how) => `reembolso do frete: ${how}` },
);

const valueList = (kind: 'value' | 'resolution', value: unknown): string =>
  listOf(value)
    .map((one) => policyWord(kind, textOf(one)))
    .join(', ');

/** Returns an amount of a document. An amount in the middle of a change may lack a currency. */
const moneyWords = (value: unknown): string => {
  if (!isRecord(value)) return textOf(value);
  const [amount, currency] = [value['amount'], textOf(value['currency'])];
  return typeof amount === 'number' && /^[A-Z]{3}$/.test(currency)
    ? formatMoney({ amount, currency })
    : `${textOf(amount)} ${currency}`;
};

/** Returns basis points as a percentage. */
export const percent = (bps: unknown): string =>
  typeof bps === 'number' ? formatNumber(bps / 10_000, { style: 'percent', maximumFractionDigits: 2 }) : '';

const feeWords = (fee: Members): string => {
  const type = policyWord('feeType', textOf(fee['type']));
  if (fee['amount'] !== undefined) return t().fee(type, moneyWords(fee['amount']));
  const share = percent(fee['bps']);
  return t().fee(type, fee['cap'] === undefined ? share : t().cap(share, moneyWords(fee['cap'])));
};

const byField: Readonly<Record<string, (value: unknown, rule: Rule) => string>> = {
  window: (value) =>
    isRecord(value) ? t().window(textOf(value['days']), policyWord('value', textOf(value['anchor']))) : '',
  deny: (value) => t().deny(textOf(value)),
  block: (value) => t().block(textOf(value)),
  exempts: (value) => t().exempts(valueList('value', value)),
  require: (value) => t().require(valueList('value', value)),
  resolutions: (value) => t().only(valueList('resolution', value)),
  fee: (value) => (isRecord(value) ? feeWords(value) : ''),
  returnless: () => t().returnless,
  shipping: (value) => t().shipping(policyWord('value', textOf(value))),
  shipByDays: (value) => t().shipByDays(textOf(value)),
  inspection: (value) => t().inspection(policyWord('value', textOf(value))),
  refundTiming: (value) => t().timing(policyWord('value', textOf(value))),
  approval: (value, rule) =>
    value === 'reject' ? t().deny(textOf(rule['deny'])) : t().approval(policyWord('approval', textOf(value))),
};

/** Returns the effect of a rule in words. */
export const effectWords = (rule: Rule): string => {
  const field = Object.keys(byField).find((name) => name !== 'deny' && rule[name] !== undefined);
  if (field !== undefined) return byField[field]?.(rule[field], rule) ?? '';
  return rule['deny'] === undefined ? t().none : t().deny(textOf(rule['deny']));
};
