import type { Output } from '../../../contract/contract.ts';
import { Badge, Section, type Tone } from '../../components/basics.tsx';
import { Columns, TableWrap } from '../../components/page-table.tsx';
import { common } from '../../texts/common.ts';
import { factWords } from '../../texts/fact-words.ts';
import { fill } from '../../texts/fill.ts';
import { hasCodeText, policyWord } from '../../texts/policy-words.ts';
import { lastDay, lineOf } from './facts.ts';
import { t } from './texts.ts';
import { fieldText } from '../../forms/field-texts.ts';

type Decision = Output<'getDecision'>;
type Line = Decision['lines'][number];

const tones: Readonly<Record<Line['verdict'], Tone>> = { eligible: 'good', needs_review: 'warning', ineligible: 'bad' };

const Code = ({ code }: { code: string }) => (
  <>
    {hasCodeText(code) && <>{policyWord('code', code)} </>}
    <code>{code}</code>
  </>
);

const Why = ({ of: { codes, missing, right } }: { of: Line }) => {
  const words = t();
  return (
    <>
      {codes.map((code) => (
        <div key={code}>
          <Code code={code} />
        </div>
      ))}
      {missing.length > 0 && <div>{fill(words.missing, { facts: missing.map(factWords).join(', ') })}</div>}
      {right !== undefined && <div>{fill(words.law, { law: right })}</div>}
    </>
  );
};

/** The name of a line: its position in the request, and its item. */
export const lineName = (decision: Decision, index: number): string => {
  const { sku } = lineOf(decision.facts, index);
  const id = decision.lines[index]?.orderLineId ?? '';
  const isKnown = typeof sku === 'string' && sku !== '';
  return isKnown ? fill(t().lineOf, { number: index + 1, sku }) : fill(t().lineWithoutSku, { number: index + 1, id });
};

/** The verdict on each line, and its reasons. */
export const Lines = ({ of }: { of: Decision }) => {
  const words = t();
  return (
    <Section title={fieldText('lines')}>
      <TableWrap label={fieldText('lines')} tableClass="wrap-heads">
        <Columns names={[words.item, common().result, words.why, words.until, words.resolutions]} />
        <tbody>
          {of.lines.map((line, index) => (
            <tr key={line.orderLineId}>
              <th scope="row">{lineName(of, index)}</th>
              <td>
                <Badge tone={tones[line.verdict]}>{policyWord('lineVerdict', line.verdict)}</Badge>
              </td>
              <td>
                <Why of={line} />
              </td>
              <td>{line.returnableUntil !== undefined && lastDay(line.returnableUntil, of.facts)}</td>
              <td>{line.resolutions.map((code) => policyWord('resolution', code)).join(', ')}</td>
            </tr>
          ))}
        </tbody>
      </TableWrap>
    </Section>
  );
};
