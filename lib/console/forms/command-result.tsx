import type { OperationName } from '../../contract/contract.ts';
import type { Change, Step } from '../api/changes.ts';
import type { Problem } from '../api/problem.ts';
import { isMoney } from '../api/record.ts';
import { Json } from '../components/basics.tsx';
import { TableWrap } from '../components/page-table.tsx';
import { ProblemNotice } from '../components/problem-notice.tsx';
import { common } from '../texts/common.ts';
import { label } from '../texts/labels.ts';
import { fieldIn, groupedChanges, headOf } from './command-changes.ts';
import { fieldText } from './field-texts.ts';
import { formTexts } from './form-texts.ts';
import type { Titles } from './return-form.ts';
import type { CommandState } from './use-form-command.ts';
import { selfEvident, valueText } from './value-texts.ts';

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
const shownValue = (path: readonly Step[], value: unknown): string => {
  const last = path.at(-1);
  const name = typeof last === 'string' ? last : (last?.list ?? '');
  if (name === 'status' && path.length === 1 && typeof value === 'string') return label('status', value);
  return valueText(name, value);
};

/** Whether a value before a change tells a person nothing. */
const isNothing = (value: unknown): boolean =>
  value === undefined || value === 0 || (isMoney(value) && value.amount === 0);

/** A change in a row whose head has the first steps of its path. */
const Part = ({ of, of: { path, before, after }, titles }: { of: Change; titles: Titles }) => (
  <span class="block">
    {!selfEvident.test(fieldIn(of)) && pathText(path.slice(headOf(path).length), titles)}{' '}
    {!isNothing(before) && `${shownValue(path, before)} → `}
    {after === undefined ? <span class="fine">{formTexts().removed}</span> : <strong>{shownValue(path, after)}</strong>}
  </span>
);

/** What a command changes: a row for each field, and for each entry of a list. */
const ChangeList = ({ changes, titles = {} }: { changes: readonly Change[]; titles?: Titles | undefined }) => {
  const t = formTexts();
  if (changes.length === 0) return <p class="fine">{t.noChange}</p>;
  return (
    <TableWrap label={t.what} tableClass="changes">
      <tbody>
        {[...groupedChanges(changes)].map(([head, parts]) => (
          <tr key={head}>
            <th scope="row">{pathText(JSON.parse(head), titles)}</th>
            <td>
              {parts.map((part) => (
                <Part key={JSON.stringify(part.path)} of={part} titles={titles} />
              ))}
            </td>
          </tr>
        ))}
      </tbody>
    </TableWrap>
  );
};

const AllowedNow = ({ actions }: { actions: NonNullable<Problem['allowedActions']> }) => {
  const t = formTexts();
  const allowed = actions.filter((action) => action.allowed).map(({ action }) => label('action', action));
  return <p>{allowed.length === 0 ? t.nothingAllowed : `${t.allowedNow} ${allowed.join(', ')}`}</p>;
};

const Stale = ({ state, titles }: { state: CommandState<OperationName>; titles?: Titles | undefined }) => {
  const t = formTexts();
  return (
    <div class="notice notice-warning" role="alert">
      <p>{state.problem?.code === 'idempotency_key_reused' ? t.keyReused : common().conflict}</p>
      {state.since !== undefined && state.since.length > 0 && (
        <>
          <p class="fine">{t.sinceThen}</p>
          <ChangeList changes={state.since} titles={titles} />
        </>
      )}
    </div>
  );
};

/** What the last step of a command gave: its changes, why it failed, or what others changed meanwhile. */
export const CommandResult = ({
  state,
  isPreviewing,
  titles,
  hasBefore,
}: {
  state: CommandState<OperationName>;
  isPreviewing: boolean;
  titles?: Titles | undefined;
  hasBefore: boolean;
}) => {
  const t = formTexts();
  const { preview, problem, since } = state;
  return (
    <div>
      <div aria-live="polite">
        {isPreviewing && <p class="fine">{common().previewing}</p>}
        {preview !== undefined && (
          <section class="preview">
            <h3>{hasBefore ? t.what : t.result}</h3>
            {hasBefore ? <ChangeList changes={preview.changes} titles={titles} /> : <Json value={preview.output} />}
          </section>
        )}
      </div>
      {since !== undefined && <Stale state={state} titles={titles} />}
      {problem !== undefined && since === undefined && (
        <>
          <ProblemNotice problem={problem} />
          {problem.allowedActions !== undefined && <AllowedNow actions={problem.allowedActions} />}
        </>
      )}
    </div>
  );
};
