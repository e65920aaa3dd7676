import { useEffect } from 'preact/hooks';
import { inspect } from '../../../contract/operations.ts';
import { FileLink } from '../../components/file-link.tsx';
import { ProblemNotice } from '../../components/problem-notice.tsx';
import { common } from '../../texts/common.ts';
import { fill } from '../../texts/fill.ts';
import { dispositionOptions, EntryForm } from './entry-form.tsx';
import { acceptAll, entriesOf, entryErrorOf, merge, reportOf, split } from './inspection.ts';
import { say } from './messages.ts';
import { type Opened, reload } from './opened.ts';
import { Preview } from './preview.tsx';
import { selectedLine } from './scan.ts';
import { t } from './texts.ts';
import { nameOf } from './units.ts';
import { useStationCommand } from './use-station-command.ts';
import { type Entry, type Inspection, inspections, recordDone } from './work.ts';
import { fieldText } from '../../forms/field-texts.ts';

const sum = (entries: readonly Entry[], outcome: Entry['outcome']): number =>
  entries.filter((entry) => entry.outcome === outcome).reduce((total, { quantity }) => total + Number(quantity), 0);

/** Says what an inspection did, for the list of the session. */
const textOf = ({ entries, unexpected }: Inspection): string => {
  const [accepted, refused] = [sum(entries, 'accept'), sum(entries, 'refuse')];
  const items = Object.values(unexpected).filter((disposition) => disposition !== '').length;
  return [
    ...(accepted + refused > 0 ? [fill(t().inspect.done, { accepted, refused })] : []),
    ...(items > 0 ? [fill(t().inspect.doneUnexpected, { count: items })] : []),
  ].join('. ');
};

/** The pictures of the goods, so that a person need not look for them elsewhere. */
const Pictures = ({ of: { value, order } }: { of: Opened }) => {
  const files = [
    ...(value.evidence ?? []).map((file) => [file, t().photo.whole] as const),
    ...value.lines.flatMap((line) => (line.evidence ?? []).map((file) => [file, nameOf(line, order)] as const)),
  ];
  if (files.length === 0) return null;
  return (
    <ul class="station-pictures">
      {files.map(([file, name]) => (
        <li key={file.sha256}>
          <FileLink file={file} name={name} onExpired={() => void reload(value.returnId)} />
          <span class="fine">{name}</span>
        </li>
      ))}
    </ul>
  );
};

/** The third step: a result for the received units, and a next step for unexpected items. */
export const InspectStep = ({ of, onDone }: { of: Opened; onDone: () => void }) => {
  const { value, order } = of;
  const { returnId, rmaNumber } = value;
  const entered = entriesOf(value, inspections.of(returnId));
  const undisposed = value.unexpected.filter(({ disposition }) => disposition === undefined);
  const error = entryErrorOf(value, entered);
  const isReady = error === undefined && (entered.entries.length > 0 || undisposed.length > 0);
  const command = useStationCommand(inspect, of, isReady ? reportOf(returnId, entered) : undefined);
  const change = (next: Inspection) => inspections.set(returnId, next);
  const selected = selectedLine.value;
  useEffect(() => {
    if (selected === undefined) return;
    document.getElementById(`station-line-${selected}`)?.focus();
    selectedLine.value = undefined;
  }, [selected]);
  const replace = (entry: Entry) =>
    change({ ...entered, entries: entered.entries.map((known) => (known.key === entry.key ? entry : known)) });
  const send = async () => {
    if ((await command.send())?.ok !== true) return;
    recordDone(returnId, rmaNumber, textOf(entered));
    say('good', textOf(entered));
    inspections.set(returnId, undefined);
    await reload(returnId);
    onDone();
  };
  if (entered.entries.length === 0 && undisposed.length === 0) return <p class="empty">{t().inspect.nothing}</p>;
  return (
    <div class="stack">
      <Pictures of={of} />
      {entered.entries.length > 1 && (
        <button type="button" class="station-start station-large" onClick={() => change(acceptAll(entered))}>
          {t().inspect.acceptAll}
        </button>
      )}
      {entered.entries.map((entry) => {
        const line = value.lines.find(({ lineId }) => lineId === entry.lineId);
        if (line === undefined) return null;
        const ofLine = entered.entries.filter(({ lineId }) => lineId === entry.lineId);
        const place = ofLine.indexOf(entry);
        return (
          <EntryForm
            key={entry.key}
            entry={entry}
            line={line}
            name={place === 0 ? nameOf(line, order) : `${nameOf(line, order)} (${place + 1})`}
            isFirst={place === 0}
            {...(error?.key === entry.key && { error: error.code })}
            onChange={replace}
            onSplit={() => change(split(entered, entry))}
            onMerge={() => change(merge(entered, entry))}
          />
        );
      })}
      {undisposed.length > 0 && <h3>{fieldText('unexpected')}</h3>}
      {undisposed.map(({ id, sku, quantity }) => (
        <div class="field" key={id}>
          <label for={`station-${id}`}>
            {quantity} × <span class="mono">{sku ?? id}</span>: {t().inspect.disposition}
          </label>
          <select
            id={`station-${id}`}
            value={entered.unexpected[id] ?? ''}
            onChange={(event) =>
              change({ ...entered, unexpected: { ...entered.unexpected, [id]: event.currentTarget.value } })
            }
          >
            <option value="">{t().inspect.later}</option>
            {dispositionOptions()}
          </select>
        </div>
      ))}
      {command.isChanged && (
        <p class="notice notice-warning" role="alert">
          {common().conflict}
        </p>
      )}
      {command.problem !== undefined && <ProblemNotice problem={command.problem} />}
      {command.previewed !== undefined && <Preview of={of} after={command.previewed} />}
      {error !== undefined && (
        <p class={error.code === 'choose' ? 'fine' : 'field-error'} role="status">
          {t().inspect[error.code]}
        </p>
      )}
      <div class="actions">
        <button
          type="button"
          class="primary station-large"
          disabled={!isReady}
          aria-disabled={command.isSending}
          onClick={() => void send()}
        >
          {t().inspect.send}
        </button>
      </div>
    </div>
  );
};
