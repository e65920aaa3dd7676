import type { Output } from '../../../contract/contract.ts';
import { Section } from '../../components/basics.tsx';
import { factWords, operatorWords } from '../../texts/fact-words.ts';
import { currencyOf, factValue } from './facts.ts';
import { lineName } from './lines.tsx';
import { t } from './texts.ts';
import { fill } from '../../texts/fill.ts';

type Decision = Output<'getDecision'>;
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
export const Counterfactuals = ({ of }: { of: Decision }) => {
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
