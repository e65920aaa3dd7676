import type { ComponentChildren } from 'preact';
import type { Output } from '../../../contract/contract.ts';
import { getDecision, getReturn } from '../../../contract/operations.ts';
import { useCall } from '../../api/use-call.ts';
import { hrefOf } from '../../app/router.ts';
import type { ScreenProps } from '../../app/screen-props.ts';
import { titles } from '../../app/texts.ts';
import { Copy, Facts, Json, Section, Time } from '../../components/basics.tsx';
import { feeWords } from '../../components/fee-words.ts';
import { OrderLink } from '../../components/order-link.tsx';
import { PolicyLink } from '../../components/policy-link.tsx';
import { Resource } from '../../components/resource.tsx';
import { VerdictBadge } from '../../components/verdict-badge.tsx';
import { common } from '../../texts/common.ts';
import { factWords, operatorWords } from '../../texts/fact-words.ts';
import { fill } from '../../texts/fill.ts';
import { formatMoney } from '../../texts/format.ts';
import { language } from '../../texts/language.ts';
import { policyWord } from '../../texts/policy-words.ts';
import { currencyOf, factValue } from './facts.ts';
import { lineName, Lines } from './lines.tsx';
import { t } from './texts.ts';
import { Trace } from './trace.tsx';

type Decision = Output<'getDecision'>;

type Fee = Decision['fees'][number] & { law?: string };

/** The fees of a return or a line, then those that the law removes. */
const feesOf = ({ fees = [], removedFees = [] }: { fees?: Fee[]; removedFees?: Fee[] }) => [...fees, ...removedFees];

const FeeText = ({ of, currency }: { of: Fee; currency: string }) => (
  <>
    {feeWords(of, currency)}{' '}
    <span class="fine">
      ({common().rule} <code>{of.rule}</code>)
    </span>
    {of.law !== undefined && <div>{fill(t().removed, { law: of.law })}</div>}
  </>
);

const settingText = (value: unknown): string => {
  if (value === true) return common().yes;
  return typeof value === 'string' ? policyWord('value', value) : JSON.stringify(value);
};

/** The fees and other terms that the policy sets. */
const Terms = ({ of }: { of: Decision }) => {
  const words = t();
  const currency = currencyOf(of.facts);
  const settings = Object.entries(of.settings);
  const fees = feesOf(of);
  const ofLines = of.lines.flatMap((line, index) => feesOf(line).map((fee) => ({ fee, line: lineName(of, index) })));
  const rows: readonly (readonly [ComponentChildren, ComponentChildren])[] = [
    ...fees.map((fee) => [policyWord('feeType', fee.type), <FeeText of={fee} currency={currency} />] as const),
    ...ofLines.map(
      ({ fee, line }) =>
        [`${policyWord('feeType', fee.type)}: ${line}`, <FeeText of={fee} currency={currency} />] as const,
    ),
    ...settings.map(([name, value]) => [policyWord('setting', name), settingText(value)] as const),
  ];
  if (rows.length === 0) return null;
  return (
    <Section title={fees.length + ofLines.length > 0 ? common().fees : words.settings}>
      <Facts rows={rows} />
    </Section>
  );
};

type Change = Decision['counterfactuals'][number]['changes'][number];

const ChangeText = ({ of: { fact, op, value, is }, currency }: { of: Change; currency: string }) => {
  const isTime = typeof value === 'string' && /^\d{4}-\d\d-\d\dT/.test(value);
  return (
    <>
      {factWords(fact)} {operatorWords(op, isTime)} <strong>{factValue(fact, value, currency)}</strong>{' '}
      <span class="fine">({fill(t().instead, { value: factValue(fact, is, currency) })})</span>
    </>
  );
};

/** The changes of facts that lead to a better verdict, in sentences. */
const Counterfactuals = ({ of }: { of: Decision }) => {
  const words = t();
  if (of.lines.every(({ verdict }) => verdict === 'eligible')) return null;
  const currency = currencyOf(of.facts);
  return (
    <Section title={words.counterfactuals}>
      {of.counterfactuals.length === 0 ? (
        <p class="empty">{words.noCounterfactuals}</p>
      ) : (
        <ul class="counterfactuals">
          {of.counterfactuals.map(({ line, changes, verdict }, index) => (
            <li key={index}>
              {of.lines.length > 1 && <strong>{lineName(of, line)}: </strong>}
              {words.would[verdict]}{' '}
              {changes.map((change, at) => (
                <span key={change.fact}>
                  {at > 0 && ` ${words.and} `}
                  <ChangeText of={change} currency={currency} />
                </span>
              ))}
              .
            </li>
          ))}
        </ul>
      )}
    </Section>
  );
};

const Head = ({ of }: { of: Decision }) => {
  const words = t();
  const { value } = useCall(getReturn, { returnId: of.returnId });
  return (
    <Section title={words.sentence[of.verdict]}>
      <p class={`notice ${of.reproduced ? 'notice-good' : 'notice-bad'}`}>
        {of.reproduced ? words.reproduced : words.notReproduced}
      </p>
      <Facts
        rows={[
          [words.decidedAt, <Time at={of.at} />],
          [titles().returns, <a href={hrefOf(`/returns/${of.returnId}`)}>{value?.rmaNumber ?? of.returnId}</a>],
          [common().order, <OrderLink of={value?.order ?? of.order} />],
          [words.policy, <PolicyLink of={of.policyVersion} />],
          [words.approval, policyWord('approval', of.approval)],
        ]}
      />
    </Section>
  );
};

const Shadow = ({ of }: { of: Decision }) => {
  const words = t();
  const { shadow } = of;
  if (shadow === undefined) return null;
  return (
    <Section title={words.shadow}>
      <p>{fill(words.shadowText, { version: shadow.version, verdict: policyWord('verdict', shadow.verdict) })}</p>
      <Facts rows={[[words.refund, formatMoney({ amount: shadow.refund, currency: currencyOf(of.facts) })]]} />
      <a href={hrefOf(`/policies/${shadow.policyId}?tab=shadow`)}>{words.shadowLink}</a>
    </Section>
  );
};

const View = ({ of }: { of: Decision }) => {
  const words = t();
  return (
    <>
      <header class="screen-head">
        <h1>{titles().decisions}</h1>
        <div class="row">
          <VerdictBadge of={of.verdict} />
          <code>{of.decisionId}</code> <Copy text={of.decisionId} />
        </div>
      </header>
      <div class="columns">
        <div class="stack">
          <Head of={of} />
          <Lines of={of} />
          <Counterfactuals of={of} />
        </div>
        <div class="stack">
          <Section title={words.explanation}>
            <p class="fine">{words.explanationHint}</p>
            {of.explanation.map((sentence, index) => (
              <p key={index}>{sentence}</p>
            ))}
          </Section>
          <Terms of={of} />
          <Shadow of={of} />
        </div>
      </div>
      <div class="stack below">
        <Trace of={of} />
        <details class="section">
          <summary>{words.all}</summary>
          <Json value={of.facts} />
        </details>
        <Section title={words.hashes}>
          <Facts
            rows={[
              [words.factsHash, <code>{of.factsHash}</code>],
              [words.digest, <code>{of.digest}</code>],
            ]}
          />
        </Section>
      </div>
    </>
  );
};

const Loaded = ({ id }: { id: string }) => {
  const decision = useCall(getDecision, { decisionId: id });
  return <Resource of={decision}>{(value) => <View of={value} />}</Resource>;
};

/** A decision of a policy. The service writes its texts in the chosen language, so another one reads it again. */
export const Screen = ({ id }: ScreenProps) => <Loaded key={`${id} ${language.value}`} id={id} />;
