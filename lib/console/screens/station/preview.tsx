import { type Change, changesOf } from '../../api/changes.ts';
import { common } from '../../texts/common.ts';
import { label, unitWord } from '../../texts/labels.ts';
import type { Opened } from './opened.ts';
import { t } from './texts.ts';
import { nameOf, type Return } from './units.ts';
import { fieldText } from '../../forms/field-texts.ts';

const units = new Set(['received', 'missing', 'accepted', 'refused']);

/** Returns the name of a change that matters at the station, or undefined for another one. */
const nameOfChange = ({ path: [first, group, unit] }: Change, { value, order }: Opened): string | undefined => {
  if (first === 'status') return common().status;
  if (first === 'refundStatus') return common().refund;
  if (typeof first !== 'object' || group !== 'quantities' || typeof unit !== 'string' || !units.has(unit))
    return undefined;
  const line = value.lines.find(({ lineId }) => lineId === first.id);
  return `${line === undefined ? first.id : nameOf(line, order)}, ${unitWord(unit, 0)}`;
};

const word = ({ path: [field] }: Change, value: unknown): string => {
  if (field === 'status') return label('status', String(value));
  return field === 'refundStatus' ? label('refund', String(value)) : String(value);
};

const undisposed = ({ unexpected }: Return): number =>
  unexpected.filter((item) => item.disposition === undefined).length;

type Row = { readonly name: string; readonly before: string; readonly after: string };

const rowsOf = (of: Opened, after: Return): readonly Row[] => {
  const [before, now] = [undisposed(of.value), undisposed(after)];
  return [
    ...changesOf(of.value, after).flatMap((change) => {
      const name = nameOfChange(change, of);
      return name === undefined
        ? []
        : [{ name, before: word(change, change.before), after: word(change, change.after) }];
    }),
    ...(before === now ? [] : [{ name: fieldText('unexpected'), before: String(before), after: String(now) }]),
  ];
};

/** What a dry run says that a command changes, in short. */
export const Preview = ({ of, after }: { of: Opened; after: Return }) => {
  const rows = rowsOf(of, after);
  return (
    <div class="station-preview" role="status">
      <h3>{t().preview.title}</h3>
      {rows.length === 0 && <p>{t().preview.nothing}</p>}
      <ul>
        {rows.map(({ name, before, after: next }) => (
          <li key={name}>
            {name}: {before} → <strong>{next}</strong>
          </li>
        ))}
      </ul>
    </div>
  );
};
