import type { Change, Step } from '../api/changes.ts';
import { Columns, TableWrap } from '../components/page-table.tsx';
import { label } from '../texts/labels.ts';
import { fieldText } from './field-texts.ts';
import { formTexts } from './form-texts.ts';
import type { Titles } from './return-form.ts';
import { valueText } from './value-texts.ts';

/** Groups whose name says nothing that the names of their fields do not say. */
const quiet = new Set(['quantities', 'amounts', 'deadlines', 'breakdown']);

const stepText = (step: Step, index: number, path: readonly Step[], titles: Titles): string => {
  if (typeof step !== 'string') return titles[step.id] ?? `${fieldText(step.list)} ${step.place}`;
  const parent = path[index - 1];
  // The names in metadata belong to the shop.
  if (parent === 'metadata') return step;
  return quiet.has(step) ? '' : fieldText(step, typeof parent === 'string' ? parent : undefined);
};

const pathText = (path: readonly Step[], titles: Titles): string =>
  path
    .map((step, index) => stepText(step, index, path, titles))
    .filter((text) => text !== '')
    .join(' · ');

/** The name of the field that decides about the words of a value. The status of a return has words of its own. */
const shownValue = ({ path }: Change, value: unknown): string => {
  const last = path.at(-1);
  const name = typeof last === 'string' ? last : (last?.list ?? '');
  if (name === 'status' && path.length === 1 && typeof value === 'string') return label('status', value);
  return valueText(name, value);
};

/** What a command changes, before and after. */
export const ChangeList = ({ changes, titles = {} }: { changes: readonly Change[]; titles?: Titles | undefined }) => {
  const t = formTexts();
  if (changes.length === 0) return <p class="fine">{t.noChange}</p>;
  return (
    <TableWrap label={t.what} tableClass="changes">
      <Columns names={[t.field, t.before, t.after]} />
      <tbody>
        {changes.map((change) => {
          const name = pathText(change.path, titles);
          return (
            <tr key={JSON.stringify(change.path)}>
              <th scope="row">{name}</th>
              <td>{change.before === undefined ? <span class="fine">–</span> : shownValue(change, change.before)}</td>
              <td>
                {change.after === undefined ? (
                  <span class="fine">{t.removed}</span>
                ) : (
                  <strong>{shownValue(change, change.after)}</strong>
                )}
              </td>
            </tr>
          );
        })}
      </tbody>
    </TableWrap>
  );
};
