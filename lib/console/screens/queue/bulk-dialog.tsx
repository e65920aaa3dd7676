import { useEffect, useMemo, useState } from 'preact/hooks';
import type { ConsoleForms } from '../../../contract/console.ts';
import type { BulkCommand } from '../../../contract/jobs/bulk-commands.ts';
import { Loading } from '../../components/basics.tsx';
import { BulkResults } from '../../components/bulk-results.tsx';
import { Dialog } from '../../components/dialog.tsx';
import { ProblemNotice } from '../../components/problem-notice.tsx';
import { readUsers, useUsers } from '../../app/users.ts';
import { UserSelect } from '../../components/user-select.tsx';
import { bodyOf } from '../../forms/body.ts';
import { fieldErrorsOf } from '../../forms/check.ts';
import { fieldErrorText } from '../../forms/form-texts.ts';
import { useForms } from '../../forms/load-forms.ts';
import { SchemaForm } from '../../forms/schema-form.tsx';
import { resolverOf } from '../../forms/schema.ts';
import { suggestionsOf } from '../../forms/suggestions.ts';
import { common } from '../../texts/common.ts';
import { fill } from '../../texts/fill.ts';
import { label } from '../../texts/labels.ts';
import type { Summary } from './selection.ts';
import { t } from './texts.ts';
import { type BulkJob, type BulkRequest, hasEnded, useBulk } from './use-bulk.ts';

/** How far a bulk job is, and its result in a sentence. */
const BulkProgress = ({ job }: { job: BulkJob }) => {
  const text = t().bulk;
  const { succeeded, refused, failed } = job.progress;
  const { dryRun: isDry, items } = job.request;
  if (job.status === 'cancelled')
    return (
      <p role="status">
        <strong>{text.stopped}</strong>
      </p>
    );
  if (hasEnded(job)) {
    const summary = fill(isDry ? text.dryResult : text.result, { succeeded, failed: refused + failed });
    return (
      <p role="status">
        <strong>{job.status === 'done' ? summary : text.failed}</strong>
      </p>
    );
  }
  const ended = succeeded + refused + failed;
  const progress = fill(text.progress, { ended, all: items });
  return (
    <p role="status">
      {isDry ? text.previewing : text.running} <progress max={items} value={ended} aria-label={progress} /> {progress}
    </p>
  );
};

/** A field of these commands that belongs to one return. */
const hidden = ['lines'];

export type BulkDialogProps = {
  readonly command: BulkCommand;
  readonly items: readonly Summary[];
  readonly onClose: () => void;
  /** Called when a command ran: the list has changed. */
  readonly onDone: () => void;
};

const namesOf = (items: readonly Summary[]): ReadonlyMap<string, string> =>
  new Map(items.map(({ returnId, rmaNumber }) => [returnId, rmaNumber]));

/** The entries stand still for this time before a job evaluates each return. */
const previewPauseMs = 600;

const noFields: Readonly<Record<string, unknown>> = {};

const BulkForm = ({ command, items, onClose, onDone, forms }: BulkDialogProps & { forms: ConsoleForms }) => {
  const text = t().bulk;
  const schema = forms.bodies[command] ?? { type: 'object', properties: {} };
  const resolve = useMemo(() => resolverOf(forms), [forms]);
  const [entries, setEntries] = useState(noFields);
  const users = useUsers();
  const [isAttempted, setAttempted] = useState(false);
  /** The returns of the command itself: those for which the preview found it possible. */
  const [ran, setRan] = useState(items);
  const bulk = useBulk();
  const { body, formPath } = bodyOf(entries, {});
  const found = fieldErrorsOf(resolve, schema, body);
  const shown = found.filter(({ code }) => isAttempted || code !== 'required');
  const fieldErrors = new Map(shown.map((error) => [formPath(error.path), fieldErrorText(error)]));
  const fieldNames = Object.keys(resolve(schema).properties ?? {}).filter((name) => !hidden.includes(name));

  const change = (next: typeof noFields) => {
    setEntries(next);
    bulk.reset();
  };
  const { job } = bulk;
  const isRunning = bulk.isStarting || (job !== undefined && !hasEnded(job));
  const isPreviewed = job !== undefined && job.request.dryRun && hasEnded(job) && job.status === 'done';
  const isDone = job !== undefined && !job.request.dryRun;
  const possible = new Set(
    job?.results.filter(({ outcome }) => outcome === 'succeeded').map((result) => result.returnId),
  );

  const request = (chosen: readonly Summary[], dryRun: boolean): BulkRequest => ({
    command,
    body,
    items: chosen.map(({ returnId, version }) => ({ returnId, version })),
    dryRun,
  });
  const key = found.length === 0 ? JSON.stringify(body) : undefined;
  useEffect(() => {
    if (key === undefined) return undefined;
    const timer = setTimeout(() => void bulk.start(request(items, true)), previewPauseMs);
    return () => clearTimeout(timer);
  }, [key]);
  const run = async () => {
    setAttempted(true);
    if (isRunning || !isPreviewed || possible.size === 0) return;
    // The preview rejected the others: they would fail for the same reason.
    const chosen = items.filter(({ returnId }) => possible.has(returnId));
    setRan(chosen);
    await bulk.start(request(chosen, false));
    if (command === 'assignReturn') void readUsers();
    onDone();
  };
  return (
    <form
      noValidate
      onSubmit={(event) => {
        event.preventDefault();
        void run();
      }}
    >
      {!isDone && fieldNames.length === 0 && <p class="fine">{common().noEntries}</p>}
      {!isDone && command === 'assignReturn' && (
        <UserSelect
          users={users}
          assignee={entries['userId'] as string | null | undefined}
          onChoose={(userId) => change({ userId })}
        />
      )}
      {!isDone && command !== 'assignReturn' && fieldNames.length > 0 && (
        <SchemaForm
          forms={forms}
          schema={schema}
          value={entries}
          fieldErrors={fieldErrors}
          hidden={hidden}
          suggestions={suggestionsOf(command)}
          onChange={change}
        />
      )}
      {bulk.problem !== undefined && <ProblemNotice problem={bulk.problem} />}
      {job !== undefined && (
        <>
          <BulkProgress job={job} />
          <div class="queue-results">
            <BulkResults of={job} names={namesOf(isDone ? ran : items)} />
          </div>
        </>
      )}
      {isPreviewed && possible.size === 0 && <p class="field-error">{text.none}</p>}
      {isDone && isRunning && <p class="fine">{text.background}</p>}
      <div class="actions">
        {!isDone && (
          <button type="submit" class="primary" aria-disabled={!isPreviewed || possible.size === 0}>
            {fill(text.run, { count: isPreviewed ? possible.size : items.length })}
          </button>
        )}
        {isDone && isRunning && (
          <button type="button" onClick={() => void bulk.stop()}>
            {text.stop}
          </button>
        )}
        <button type="button" onClick={onClose}>
          {isDone ? common().close : common().cancel}
        </button>
      </div>
    </form>
  );
};

/** A command for the selected returns: its form, a dry run for each return, then the command as a job. */
export const BulkDialog = (props: BulkDialogProps) => {
  const forms = useForms();
  return (
    <Dialog
      title={fill(t().bulk.title, { command: label('action', props.command), count: props.items.length })}
      onClose={props.onClose}
      wide
    >
      {forms === undefined ? <Loading /> : <BulkForm {...props} forms={forms} />}
    </Dialog>
  );
};
