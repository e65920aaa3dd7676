import { label } from '../../texts/labels.ts';
import { type Change, changesOf } from './changes.ts';
import type { Opened } from './opened.ts';
import { t } from './texts.ts';
import { nameOf, type Return } from './units.ts';

const nameOfChange = (change: Change, { value, order }: Opened): string => {
  if (change.of === 'unexpected') return t().preview.unexpected;
  if (change.of !== 'unit') return t().preview[change.of];
  const line = value.lines.find(({ lineId }) => lineId === change.lineId);
  return `${line === undefined ? change.lineId : nameOf(line, order)}, ${label('unit', change.unit)}`;
};

const word = (change: Change, value: string | number): string =>
  change.of === 'status' || change.of === 'refund' ? label(change.of, String(value)) : String(value);

/** What a dry run says that a command changes, in short. */
export const Preview = ({ of, after }: { of: Opened; after: Return }) => {
  const changes = changesOf(of.value, after);
  return (
    <div class="station-preview" role="status">
      <h3>{t().preview.title}</h3>
      {changes.length === 0 && <p>{t().preview.nothing}</p>}
      <ul>
        {changes.map((change) => (
          <li key={JSON.stringify(change)}>
            {nameOfChange(change, of)}: {word(change, change.before)} → <strong>{word(change, change.after)}</strong>
          </li>
        ))}
      </ul>
    </div>
  );
};
