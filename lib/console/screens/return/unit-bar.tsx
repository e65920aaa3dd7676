import { lost, outstanding, refused, undecided, uninspected } from '../../api/line-units.ts';
import { label } from '../../texts/labels.ts';
import type { Return } from './commands.ts';
import { t } from './texts.ts';

type Line = Return['lines'][number];
type Segment = { readonly name: string; readonly tone: string; readonly units: number };

const unit = (name: string): string => label('unit', name);

/** Each requested unit is in exactly one part of the bar. */
const segmentsOf = (line: Line): readonly Segment[] => {
  const { rejected, cancelled, returnless, accepted, granted } = line.quantities;
  return [
    { name: unit('accepted'), tone: 'good', units: accepted },
    { name: unit('returnless'), tone: 'good', units: returnless },
    { name: unit('granted'), tone: 'good', units: granted },
    { name: t().toInspect, tone: 'warning', units: uninspected(line) },
    { name: t().expected, tone: 'active', units: outstanding(line) },
    { name: t().waiting, tone: 'warning', units: undecided(line) },
    { name: unit('refused'), tone: 'bad', units: refused(line) },
    { name: unit('missing'), tone: 'bad', units: lost(line) },
    { name: unit('rejected'), tone: 'neutral', units: rejected },
    { name: unit('cancelled'), tone: 'neutral', units: cancelled },
  ].filter(({ units }) => units > 0);
};

/** What happened to the units of a line: a bar, and the same in words. */
export const UnitBar = ({ line }: { line: Line }) => {
  const segments = segmentsOf(line);
  const { refunded, exchanged } = line.quantities;
  const settled = [
    ...(refunded > 0 ? [`${refunded} ${label('unit', 'refunded')}`] : []),
    ...(exchanged > 0 ? [`${exchanged} ${label('unit', 'exchanged')}`] : []),
  ];
  return (
    <div class="units">
      <div class="unit-bar" aria-hidden="true">
        {segments.map(({ name, tone, units }) => (
          <span key={name} class={`unit-part unit-${tone}`} style={{ flexGrow: units }} />
        ))}
      </div>
      <span>{segments.map(({ name, units }) => `${units} ${name}`).join(' · ')}</span>
      {settled.length > 0 && <span class="fine">{settled.join(' · ')}</span>}
    </div>
  );
};
