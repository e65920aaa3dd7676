import { lost, outstanding, refused, undecided, uninspected } from '../../api/line-units.ts';
import { Money, Section } from '../../components/basics.tsx';
import { Columns, TableWrap } from '../../components/page-table.tsx';
import { fieldText } from '../../forms/field-texts.ts';
import { lineTitle } from '../../forms/return-form.ts';
import { codeText, valueText } from '../../forms/value-texts.ts';
import { common } from '../../texts/common.ts';
import { fill } from '../../texts/fill.ts';
import { label, unitWord } from '../../texts/labels.ts';
import type { Return } from './commands.ts';
import { useScreen } from './context.ts';
import { t } from './texts.ts';

type Line = Return['lines'][number];

type Segment = { readonly text: string; readonly tone: string; readonly units: number };

const unit = (name: string, tone: string, units: number): Segment => ({
  text: `${units} ${unitWord(name, units)}`,
  tone,
  units,
});

/** Each requested unit is in exactly one part of the bar. */
const segmentsOf = (line: Line): readonly Segment[] => {
  const { rejected, cancelled, returnless, accepted, granted } = line.quantities;
  return [
    unit('accepted', 'good', accepted),
    unit('returnless', 'good', returnless),
    unit('granted', 'good', granted),
    { text: `${uninspected(line)} ${t().toInspect}`, tone: 'warning', units: uninspected(line) },
    { text: fill(t().expected, { count: outstanding(line) }), tone: 'active', units: outstanding(line) },
    { text: `${undecided(line)} ${t().waiting}`, tone: 'warning', units: undecided(line) },
    unit('refused', 'bad', refused(line)),
    unit('missing', 'bad', lost(line)),
    unit('rejected', 'neutral', rejected),
    unit('cancelled', 'neutral', cancelled),
  ].filter(({ units }) => units > 0);
};

/** What happened to the units of a line: a bar, and the same in words. */
const UnitBar = ({ line }: { line: Line }) => {
  const segments = segmentsOf(line);
  const { refunded, exchanged, repaired = 0 } = line.quantities;
  const settled = [
    ...(refunded > 0 ? [`${refunded} ${unitWord('refunded', refunded)}`] : []),
    ...(exchanged > 0 ? [`${exchanged} ${unitWord('exchanged', exchanged)}`] : []),
    ...(repaired > 0 ? [`${repaired} ${unitWord('repaired', repaired)}`] : []),
  ];
  return (
    <div class="units">
      <div class="unit-bar" aria-hidden="true">
        {segments.map(({ text, tone, units }) => (
          <span key={text} class={`unit-part unit-${tone}`} style={{ flexGrow: units }} />
        ))}
      </div>
      <span>{segments.map(({ text }) => text).join(' · ')}</span>
      {settled.length > 0 && <span class="fine">{settled.join(' · ')}</span>}
    </div>
  );
};

const Inspections = ({ of }: { of: Line['inspections'] }) => (
  <ul class="plain">
    {of.map((inspection) => (
      <li key={inspection.id}>
        {inspection.quantity} × {codeText('outcome', inspection.outcome)} →{' '}
        {label('disposition', inspection.disposition)}
        {inspection.grade !== undefined && ` · ${inspection.grade}`}
        {inspection.deductionBps > 0 && ` · −${valueText('deductionBps', inspection.deductionBps)}`}
        {inspection.note !== undefined && <span class="quote">{inspection.note}</span>}
        {inspection.erased === true && <em> {common().erased}</em>}
      </li>
    ))}
  </ul>
);

const Reason = ({ line }: { line: Line }) => {
  const { reasons } = useScreen();
  const { code, note, source, erased } = line.reason;
  return (
    <>
      {reasons[code] ?? code}
      {source?.label !== undefined && <span class="fine"> ({source.label})</span>}
      {note !== undefined && <span class="quote">{note}</span>}
      {erased === true && <em> {common().erased}</em>}
      {line.condition !== undefined && (
        <span class="fine block">
          {fieldText('condition')}: {line.condition}
        </span>
      )}
      {line.evidenceRequired === true && <span class="fine block">{t().evidenceRequired}</span>}
      {line.eligibility !== undefined && (
        <span class="eligibility block">
          {line.eligibility.verdict === 'ineligible' ? t().ineligible : t().needsReview}{' '}
          {line.eligibility.code.replaceAll('_', ' ')}
        </span>
      )}
    </>
  );
};

const Row = ({ line }: { line: Line }) => {
  const { titles } = useScreen();
  const title = lineTitle(line, titles);
  return (
    <tr>
      <th scope="row">
        {title}
        {line.sku !== undefined && line.sku !== title && <span class="fine block">{line.sku}</span>}
      </th>
      <td class="number">{line.quantities.requested}</td>
      <td class="wide">
        <UnitBar line={line} />
        {line.inspections.length > 0 && <Inspections of={line.inspections} />}
        {line.missing.map(({ cause, quantity, granted }) => (
          <span key={cause} class="fine block">
            {quantity} {unitWord('missing', quantity)}: {codeText('cause', cause)}
            {granted > 0 && ` · ${granted} ${unitWord('granted', granted)}`}
          </span>
        ))}
      </td>
      <td>
        <Reason line={line} />
      </td>
      <td>{codeText('resolution', line.resolution)}</td>
      <td class="number">
        <Money of={line.amounts.gross} />
      </td>
    </tr>
  );
};

/** The lines with what happened to their units. */
export const Lines = () => {
  const { value } = useScreen();
  return (
    <Section title={fieldText('lines')}>
      <TableWrap label={fieldText('lines')} tableClass="lines" isStacked>
        <Columns
          names={[
            fieldText('lineId'),
            `#${fieldText('quantities')}`,
            common().state,
            fieldText('reason'),
            t().wants,
            `#${t().worth}`,
          ]}
        />
        <tbody>
          {value.lines.map((line) => (
            <Row key={line.lineId} line={line} />
          ))}
        </tbody>
      </TableWrap>
    </Section>
  );
};
