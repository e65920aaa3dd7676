import type { Output } from '../../../contract/contract.ts';
import { hrefOf } from '../../app/router.ts';
import { Facts, Section, Time } from '../../components/basics.tsx';
import { PolicyLink } from '../../components/policy-link.tsx';
import { VerdictBadge } from '../../components/verdict-badge.tsx';
import { fieldText } from '../../forms/field-texts.ts';
import { common } from '../../texts/common.ts';
import type { Return } from './commands.ts';
import { useScreen } from './context.ts';
import { t } from './texts.ts';

type Decision = Output<'getDecision'>;

/** A reason that a person wrote, or a mark that it was erased. */
const why = (of: { code?: string; note?: string; reason?: string; erased?: true } | undefined) => {
  if (of === undefined) return undefined;
  const text = [of.code?.replaceAll('_', ' '), of.note ?? of.reason, of.erased === true ? common().erased : undefined]
    .filter((part) => part !== undefined)
    .join(': ');
  return text === '' ? undefined : text;
};

const reasonsOf = (value: Return) =>
  [
    [t().rejection, why(value.rejection)],
    [t().cancellation, why(value.cancellation)],
    [t().waiver, why(value.waiver)],
    [t().reopening, why(value.reopening)],
    [t().correction, why(value.correction)],
  ] as const;

const Overrides = ({ of }: { of: NonNullable<Return['decision']>['overrides'] }) => {
  const { titles } = useScreen();
  return (
    <>
      <p>{t().overridden}</p>
      <ul>
        {of.map((line) => (
          <li key={line.lineId}>
            {titles[line.lineId] ?? line.lineId}:{' '}
            {line.reason ?? (line.erased === true ? <em>{common().erased}</em> : '–')}
          </li>
        ))}
      </ul>
    </>
  );
};

/** What the policy decided, in its own sentences, and what people decided. */
export const DecisionSection = ({ decision }: { decision: Decision | undefined }) => {
  const { value } = useScreen();
  const { decision: summary } = value;
  return (
    <Section title={fieldText('decision')}>
      {summary?.decisionId === undefined && <p class="fine">{t().noDecision}</p>}
      {summary?.verdict !== undefined && (
        <p>
          <VerdictBadge of={summary.verdict} />{' '}
          {summary.policyVersion !== undefined && <PolicyLink of={summary.policyVersion} />}
        </p>
      )}
      {decision !== undefined && (
        <ul class="sentences">
          {decision.explanation.map((sentence) => (
            <li key={sentence}>{sentence}</li>
          ))}
        </ul>
      )}
      {summary?.changedSinceQuote !== undefined && (
        <p class="fine">
          {t().changedSinceQuote}: {summary.changedSinceQuote.join(', ')}
        </p>
      )}
      {summary !== undefined && summary.overrides.length > 0 && <Overrides of={summary.overrides} />}
      {summary?.decisionId !== undefined && (
        <p>
          <a href={hrefOf(`/decisions/${summary.decisionId}`)}>{t().openDecision}</a>
        </p>
      )}
      <Facts rows={reasonsOf(value)} />
    </Section>
  );
};

/** Facts that contradict each other or a rule. Without any, nothing is shown. */
export const Discrepancies = () => {
  const { value } = useScreen();
  if (value.discrepancies.length === 0) return null;
  return (
    <div class="notice notice-warning">
      <strong>{t().discrepancies}</strong>
      <ul>
        {value.discrepancies.map(({ code, at, detail }) => (
          <li key={`${code} ${at}`}>
            {detail}{' '}
            <span class="fine">
              {code.replaceAll('_', ' ')} · <Time at={at} />
            </span>
          </li>
        ))}
      </ul>
    </div>
  );
};
