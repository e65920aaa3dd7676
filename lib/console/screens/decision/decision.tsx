import type { Output } from '../../../contract/contract.ts';
import { getDecision } from '../../../contract/operations.ts';
import { useCall } from '../../api/use-call.ts';
import { hrefOf, orderHref } from '../../app/router.ts';
import type { ScreenProps } from '../../app/routes.ts';
import { Badge, Copy, Facts, Json, Section, Time, type Tone } from '../../components/basics.tsx';
import { Resource } from '../../components/resource.tsx';
import { formatMoney } from '../../texts/format.ts';
import { language } from '../../texts/language.ts';
import { policyWord } from '../../texts/policy-words.ts';
import { currencyOf } from './facts.ts';
import { Counterfactuals } from './counterfactuals.tsx';
import { Lines } from './lines.tsx';
import { Terms } from './terms.tsx';
import { t } from './texts.ts';
import { Trace } from './trace.tsx';
import { fill } from '../../texts/fill.ts';

type Decision = Output<'getDecision'>;

const verdictTones: Readonly<Record<Decision['verdict'], Tone>> = {
  approved: 'good',
  rejected: 'bad',
  needs_review: 'warning',
};

const PolicyLink = ({ of: { policyId, policyVersion } }: { of: Decision }) => {
  const version = policyVersion.split('/')[1] ?? '';
  return (
    <a href={hrefOf(`/policies/${policyId}?tab=versions&version=${version}`)}>{fill(t().versionLink, { version })}</a>
  );
};

const Head = ({ of }: { of: Decision }) => {
  const words = t();
  return (
    <Section title={words.sentence[of.verdict]}>
      <p class={`notice ${of.reproduced ? 'notice-good' : 'notice-bad'}`}>
        {of.reproduced ? words.reproduced : words.notReproduced}
      </p>
      <Facts
        rows={[
          [words.decidedAt, <Time at={of.at} />],
          [words.return, <a href={hrefOf(`/returns/${of.returnId}`)}>{of.returnId}</a>],
          [
            words.order,
            <a href={orderHref(of.order)}>
              {of.order.platform} {of.order.orderId}
            </a>,
          ],
          [words.policy, <PolicyLink of={of} />],
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
        <h1>{words.title}</h1>
        <div class="row">
          <Badge tone={verdictTones[of.verdict]}>{policyWord('verdict', of.verdict)}</Badge>
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
