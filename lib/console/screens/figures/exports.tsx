import { useEffect, useState } from 'preact/hooks';
import type { Input, Output } from '../../../contract/contract.ts';
import { createExport, listJobs } from '../../../contract/operations.ts';
import { statuses } from '../../../contract/returns/closed-lists.ts';
import { isOpen, useJob } from '../../api/use-job.ts';
import { usePages } from '../../api/use-pages.ts';
import { query, setQuery } from '../../app/router.ts';
import { titles } from '../../app/texts.ts';
import { ActorName } from '../../components/actor-name.tsx';
import { ActionDialog } from '../../components/action-dialog.tsx';
import { Section, Time } from '../../components/basics.tsx';
import { SelectField, TimeField } from '../../components/fields.tsx';
import { JobProgress } from '../../components/job-progress.tsx';
import { JobStatusBadge } from '../../components/job-status.tsx';
import { PageTable } from '../../components/page-table.tsx';
import { Resource } from '../../components/resource.tsx';
import { common } from '../../texts/common.ts';
import { label } from '../../texts/labels.ts';
import { t } from './texts.ts';

type Item = Extract<Output<'listJobs'>['items'][number], { kind: 'export' }>;

const ExportDialog = ({ onDone, onClose }: { onDone: (jobId: string) => void; onClose: () => void }) => {
  const [format, setFormat] = useState('csv');
  const [from, setFrom] = useState('');
  const [until, setUntil] = useState('');
  const [status, setStatus] = useState('');
  const input = {
    format,
    ...(from !== '' && { from }),
    ...(until !== '' && { until }),
    ...(status !== '' && { status }),
  } as Input<'createExport'>;
  const texts = t();
  return (
    <ActionDialog
      title={texts.newExport}
      operation={createExport}
      input={input}
      sendLabel={texts.start}
      effect={({ request }) => (
        <p>
          {texts.wouldExport} {texts.formats[request.format]}
        </p>
      )}
      onDone={({ jobId }) => onDone(jobId)}
      onClose={onClose}
    >
      <p>{texts.exportText}</p>
      <SelectField label={texts.format} value={format} options={Object.entries(texts.formats)} onChange={setFormat} />
      <TimeField label={texts.createdFrom} value={from} onChange={setFrom} />
      <TimeField label={texts.createdUntil} value={until} onChange={setUntil} />
      <SelectField
        label={common().status}
        value={status}
        noneLabel={common().all}
        options={statuses.map((status) => [status, label('status', status)])}
        onChange={setStatus}
      />
    </ActionDialog>
  );
};

const Row = ({ item }: { item: Item }) => (
  <tr>
    <td>
      <button type="button" class="link-button" onClick={() => setQuery({ job: item.jobId })}>
        <Time at={item.createdAt} />
      </button>
    </td>
    <td>{item.request.format}</td>
    <td>{item.request.status === undefined ? common().all : label('status', item.request.status)}</td>
    <td>
      <JobStatusBadge status={item.status} />
    </td>
    <td>
      <ActorName actor={item.createdBy} byList />
    </td>
  </tr>
);

const Chosen = ({ jobId, onEnd }: { jobId: string; onEnd: () => void }) => {
  const job = useJob(jobId);
  const hasEnded = job.value !== undefined && !isOpen(job.value.status);
  // The list shows the status too.
  useEffect(() => {
    if (hasEnded) onEnd();
  }, [hasEnded]);
  return (
    <div class="chosen">
      <Resource of={job}>{(value) => <JobProgress value={value} onReload={job.reload} />}</Resource>
      <button type="button" onClick={() => setQuery({ job: undefined })}>
        {common().close}
      </button>
    </div>
  );
};

/** The exports, the progress of the chosen one, and its files. */
export const Exports = () => {
  const [isDialog, setDialog] = useState(false);
  const pages = usePages(listJobs, { kind: 'export', limit: 10 });
  const jobId = query.value.get('job');
  const texts = t();
  return (
    <Section
      title={texts.exports}
      actions={
        <button type="button" onClick={() => setDialog(true)}>
          {texts.newExport}
        </button>
      }
    >
      {jobId !== null && <Chosen key={jobId} jobId={jobId} onEnd={pages.reload} />}
      <PageTable
        of={pages}
        label={texts.exports}
        columns={[common().created, texts.format, titles().queue, common().status, common().by]}
        empty={texts.noExports}
        row={(item) => item.kind === 'export' && <Row key={item.jobId} item={item} />}
      />
      {isDialog && (
        <ExportDialog
          onClose={() => setDialog(false)}
          onDone={(created) => {
            setDialog(false);
            setQuery({ job: created });
            pages.reload();
          }}
        />
      )}
    </Section>
  );
};
