import type { ComponentChildren } from 'preact';
import type { Output } from '../../../contract/contract.ts';
import { Facts, Section } from '../../components/basics.tsx';
import { formatMoney, formatNumber } from '../../texts/format.ts';
import { common } from '../../texts/common.ts';
import { policyWord } from '../../texts/policy-words.ts';
import { currencyOf } from './facts.ts';
import { t } from './texts.ts';
import { fill } from '../../texts/fill.ts';

type Decision = Output<'getDecision'>;
type Fee = Decision['fees'][number];

const percent = (bps: number): string => formatNumber(bps / 10_000, { style: 'percent', maximumFractionDigits: 2 });

const FeeText = ({ of: { bps, amount, cap, rule }, currency }: { of: Fee; currency: string }) => {
  const words = t();
  const parts = [
    ...(bps === undefined ? [] : [percent(bps)]),
    ...(amount === undefined ? [] : [formatMoney({ amount, currency })]),
    ...(cap === undefined ? [] : [fill(words.atMost, { amount: formatMoney({ amount: cap, currency }) })]),
  ];
  return (
    <>
      {parts.join(', ')}{' '}
      <span class="fine">
        ({words.feeRule} <code>{rule}</code>)
      </span>
    </>
  );
};

const settingText = (value: unknown): string => {
  if (value === true) return common().yes;
  return typeof value === 'string' ? policyWord('value', value) : JSON.stringify(value);
};

/** The fees and other terms that the policy sets. */
export const Terms = ({ of }: { of: Decision }) => {
  const words = t();
  const currency = currencyOf(of.facts);
  const settings = Object.entries(of.settings);
  const rows: readonly (readonly [ComponentChildren, ComponentChildren])[] = [
    ...of.fees.map((fee) => [policyWord('feeType', fee.type), <FeeText of={fee} currency={currency} />] as const),
    ...settings.map(([name, value]) => [policyWord('setting', name), settingText(value)] as const),
  ];
  if (rows.length === 0) return null;
  return (
    <Section title={of.fees.length > 0 ? words.fees : words.settings}>
      <Facts rows={rows} />
    </Section>
  );
};
