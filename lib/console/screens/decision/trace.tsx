import { useState } from 'preact/hooks';
import type { Output } from '../../../contract/contract.ts';
import { Badge, Section, type Tone } from '../../components/basics.tsx';
import { feeWords } from '../../components/fee-words.ts';
import { Columns, TableWrap } from '../../components/page-table.tsx';
import { common } from '../../texts/common.ts';
import { factWords } from '../../texts/fact-words.ts';
import { fill } from '../../texts/fill.ts';
import { hasCodeText, policyWord } from '../../texts/policy-words.ts';
import { currencyOf, type Facts, factValue, lastDay } from './facts.ts';
import { t } from './texts.ts';

type TraceEffect = Readonly<Record<string, unknown>>;

const textOf = (value: unknown): string => (typeof value === 'string' ? value : JSON.stringify(value));

const listWords = (value: unknown, kind: 'value' | 'resolution'): string =>
  Array.isArray(value) ? value.map((code) => policyWord(kind, textOf(code))).join(', ') : '';

const denyWords = (code: unknown): string => {
  const text = textOf(code);
  return hasCodeText(text) ? policyWord('code', text) : `${policyWord('setting', 'deny')}: ${text}`;
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
const traceEffect = (effect: TraceEffect, facts: Facts): string => {
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
  if (fee !== undefined) return `${policyWord('feeType', textOf(fee))}: ${feeWords(effect, currencyOf(facts))}`;
  return set === undefined ? JSON.stringify(effect) : setWords(set);
};

type Decision = Output<'getDecision'>;
type Entry = Decision['trace'][number];

const tones: Readonly<Record<Entry['result'], Tone>> = {
  matched: 'active',
  not_matched: 'neutral',
  unknown: 'warning',
  skipped: 'neutral',
};

const filters = ['all', 'matched', 'effective'] as const;
type Filter = (typeof filters)[number];

const isShown = ({ result, effect, overruledBy }: Entry, filter: Filter): boolean => {
  if (filter === 'all') return true;
  const matched = result === 'matched' || result === 'unknown';
  return filter === 'matched' ? matched : matched && effect !== undefined && overruledBy === undefined;
};

const Inputs = ({ of, currency }: { of: Entry['inputs']; currency: string }) => {
  const inputs = Object.entries(of);
  if (inputs.length === 0) return <span class="fine">{t().noFacts}</span>;
  return (
    <ul class="inputs">
      {inputs.map(([fact, value]) => (
        <li key={fact} title={fact} {...(value === null && { class: 'unknown' })}>
          {factWords(fact)}: <strong>{factValue(fact, value, currency)}</strong>
        </li>
      ))}
    </ul>
  );
};

const Effect = ({ of, facts }: { of: Entry; facts: Facts }) => {
  const words = t();
  return (
    <>
      {of.effect !== undefined && (
        <div>
          {of.result === 'unknown' && <span class="fine">{words.couldHave}: </span>}
          {traceEffect(of.effect, facts)}
        </div>
      )}
      {of.overruledBy !== undefined && <div class="fine">{fill(words.overruled, { rule: of.overruledBy })}</div>}
    </>
  );
};

const Row = ({ of, facts }: { of: Entry; facts: Facts }) => {
  const words = t();
  return (
    <tr>
      <td>{policyWord('phase', of.phase)}</td>
      <th scope="row" class="rule-cell">
        <code>{of.rule}</code>
        <div class="fine">{of.line === undefined ? words.wholeReturn : fill(words.line, { number: of.line + 1 })}</div>
        {of.text !== undefined && <div class="rule-text">{of.text}</div>}
      </th>
      <td>
        <Badge tone={tones[of.result]}>{policyWord('result', of.result)}</Badge>
      </td>
      <td>
        <Inputs of={of.inputs} currency={currencyOf(facts)} />
      </td>
      <td>
        <Effect of={of} facts={facts} />
      </td>
    </tr>
  );
};

/** Every rule in the order of the evaluation: whether it matched, the facts that it read, and its effect. */
export const Trace = ({ of }: { of: Decision }) => {
  const words = t();
  const [filter, setFilter] = useState<Filter>('all');
  return (
    <Section
      title={words.trace}
      actions={
        <label class="row">
          {words.filter}
          <select
            value={filter}
            onChange={({ currentTarget }) => setFilter(filters.find((name) => name === currentTarget.value) ?? 'all')}
          >
            {filters.map((name) => (
              <option key={name} value={name}>
                {words.filters[name]}
              </option>
            ))}
          </select>
        </label>
      }
    >
      {of.omitted !== undefined && <p class="fine">{fill(words.omitted, { count: of.omitted })}</p>}
      <TableWrap label={words.trace} tableClass="trace">
        <Columns names={[words.phase, common().rule, common().result, words.facts, common().effect]} />
        <tbody>
          {of.trace
            .filter((entry) => isShown(entry, filter))
            .map((entry) => (
              <Row key={`${entry.phase} ${entry.rule} ${entry.line ?? ''}`} of={entry} facts={of.facts} />
            ))}
        </tbody>
      </TableWrap>
    </Section>
  );
};
