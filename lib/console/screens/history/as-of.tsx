import { useEffect, useId, useState } from 'preact/hooks';
import type { Output } from '../../../contract/contract.ts';
import { getReturn } from '../../../contract/operations.ts';
import { type Change, changesOf, type IsSilent, type Step } from '../../api/changes.ts';
import { useCall } from '../../api/use-call.ts';
import { setQuery } from '../../app/router.ts';
import { Facts, Loading, Section } from '../../components/basics.tsx';
import { Columns, TableWrap } from '../../components/page-table.tsx';
import { ProblemNotice } from '../../components/problem-notice.tsx';
import { RefundBadge, refundedText, StatusBadge } from '../../components/return-badges.tsx';
import type { Entry } from '../../components/timeline.tsx';
import { fieldText } from '../../forms/field-texts.ts';
import { valueText } from '../../forms/value-texts.ts';
import { common } from '../../texts/common.ts';
import { eventText } from '../../texts/event-words.ts';
import { fill } from '../../texts/fill.ts';
import { formatTime } from '../../texts/format.ts';
import { unitWord } from '../../texts/labels.ts';
import { t } from './texts.ts';
import { Value } from './values.tsx';

type Return = Output<'getReturn'>;

/** Time that the slider has to rest before the return is read. */
const restMs = 200;

const useRested = <Of,>(value: Of): Of => {
  const [rested, setRested] = useState(value);
  useEffect(() => {
    const timer = setTimeout(() => setRested(value), restMs);
    return () => clearTimeout(timer);
  }, [value]);
  return rested;
};

const Lines = ({ of }: { of: Return }) => {
  return (
    <TableWrap label={fieldText('lineId')}>
      <tbody>
        {of.lines.map(({ lineId, sku, orderLineId, quantities }) => (
          <tr key={lineId}>
            <th scope="row">{sku ?? orderLineId}</th>
            <td>
              {Object.entries(quantities)
                .filter(([, count]) => count > 0)
                .map(([name, count]) => `${count} ${unitWord(name, count)}`)
                .join(' · ')}
            </td>
          </tr>
        ))}
      </tbody>
    </TableWrap>
  );
};

const Snapshot = ({ of }: { of: Return }) => {
  const words = t().asOf;
  return (
    <div>
      <Facts
        rows={[
          [common().status, <StatusBadge status={of.status} />],
          [
            common().refund,
            <>
              <RefundBadge status={of.refundStatus} /> {refundedText(of)}
            </>,
          ],
          [words.parcels, of.parcels.length],
        ]}
      />
      <Lines of={of} />
    </div>
  );
};

const silent = new Set(['version', 'updatedAt', 'allowedActions', 'nextStep', 'url', 'expiresAt']);

/** Fields that change with each entry, or that the person sees elsewhere. */
const isSilent: IsSilent = (name) => silent.has(name);

/** The words for a step of a path: an id of a line becomes its SKU, other ids stay short. */
const stepWords = (step: Step, parent: Step | undefined, { lines }: Return): string => {
  if (typeof step === 'string') return fieldText(step, typeof parent === 'string' ? parent : undefined);
  const { list, id } = step;
  const isId = /^[a-z]+_[0-9A-Z]{26}$/.test(id);
  const name = lines.find(({ lineId }) => lineId === id)?.sku ?? (isId ? `…${id.slice(-6)}` : valueText(list, id));
  return `${fieldText(list)} › ${name}`;
};

const pathWords = ({ path }: Change, of: Return): string =>
  path.map((step, index) => stepWords(step, path[index - 1], of)).join(' › ');

/** The name of the field that decides about the words of a value. */
const fieldOf = ({ path }: Change): string => {
  const last = path.at(-1) ?? '';
  return typeof last === 'string' ? last : last.list;
};

const Changes = ({ before, after }: { before: Return; after: Return }) => {
  const words = t().asOf;
  const changes = changesOf(before, after, isSilent);
  if (changes.length === 0) return <p class="empty">{words.noChanges}</p>;
  return (
    <TableWrap label={words.changes} tableClass="diff">
      <Columns names={[common().field, common().before, common().after]} />
      <tbody>
        {changes.map((change) => {
          const field = fieldOf(change);
          return (
            <tr key={JSON.stringify(change.path)}>
              <th scope="row">{pathWords(change, after)}</th>
              <td>
                <Value field={field} value={change.before} />
              </td>
              <td>
                <Value field={field} value={change.after} />
              </td>
            </tr>
          );
        })}
      </tbody>
    </TableWrap>
  );
};

const Slider = ({ entries, current }: { entries: readonly Entry[]; current: Entry }) => {
  const words = t().asOf;
  const id = useId();
  const { sequence, type, at } = current;
  const first = entries[0]?.sequence ?? 1;
  const last = entries.at(-1)?.sequence ?? 1;
  const show = (next: number) => setQuery({ entry: String(Math.min(last, Math.max(first, next))) }, { replace: true });
  const value = fill(words.value, { sequence, type: eventText(type), time: formatTime(at) });
  return (
    <div class="slider">
      <label for={id}>{words.slider}</label>
      <div class="row">
        <button type="button" disabled={sequence <= first} onClick={() => show(sequence - 1)}>
          ‹ {words.older}
        </button>
        <input
          id={id}
          type="range"
          min={first}
          max={last}
          step={1}
          value={sequence}
          aria-valuetext={value}
          onInput={({ currentTarget }) => show(Number(currentTarget.value))}
        />
        <button type="button" disabled={sequence >= last} onClick={() => show(sequence + 1)}>
          {words.newer} ›
        </button>
      </div>
      <output for={id}>{value}</output>
    </div>
  );
};

/** The return as it was after an entry, with the changes to the state before. */
export const AsOf = ({
  returnId,
  entries,
  current,
  hasMore,
}: {
  returnId: string;
  entries: readonly Entry[];
  current: Entry;
  hasMore: boolean;
}) => {
  const words = t().asOf;
  const at = useRested(current.at);
  const same = entries.filter((entry) => entry.at === at);
  const earlier = entries.findLast((entry) => entry.at < at);
  const now = useCall(getReturn, { returnId, asOf: at });
  const before = useCall(getReturn, earlier === undefined ? undefined : { returnId, asOf: earlier.at });
  const [first, last] = [same[0], same.at(-1)];
  const problem = now.problem ?? before.problem;
  return (
    <Section title={words.title}>
      <Slider entries={entries} current={current} />
      {same.length > 1 && first !== undefined && last !== undefined && (
        <p class="fine">{fill(words.together, { first: first.sequence, last: last.sequence })}</p>
      )}
      {hasMore && <p class="fine">{words.more}</p>}
      {problem !== undefined && <ProblemNotice problem={problem} onRetry={now.reload} />}
      {now.value === undefined ? (
        problem === undefined && <Loading />
      ) : (
        <div class="as-of" aria-live="polite">
          <Snapshot of={now.value} />
          <div>
            <h3>{words.changes}</h3>
            {earlier === undefined ? (
              <p class="empty">{words.first}</p>
            ) : (
              before.value !== undefined && <Changes before={before.value} after={now.value} />
            )}
          </div>
        </div>
      )}
    </Section>
  );
};
