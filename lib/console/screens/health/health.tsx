import { useState } from 'preact/hooks';
import type { Output } from '../../../contract/contract.ts';
import { cancelJob, eraseCustomer, health } from '../../../contract/operations.ts';
import { useCall } from '../../api/use-call.ts';
import { isOpen, useJob } from '../../api/use-job.ts';
import { config } from '../../app/config.ts';
import { navigate } from '../../app/router.ts';
import type { ScreenProps } from '../../app/screen-props.ts';
import { titles } from '../../app/texts.ts';
import { ActionDialog } from '../../components/action-dialog.tsx';
import { Badge, Copy, Facts, Section } from '../../components/basics.tsx';
import { Detail, DetailHead } from '../../components/detail.tsx';
import { CheckField, SelectField, TextField } from '../../components/fields.tsx';
import { JobProgress, kindOf } from '../../components/job-progress.tsx';
import { JobStatusBadge } from '../../components/job-status.tsx';
import { Resource } from '../../components/resource.tsx';
import { toast } from '../../components/toast.tsx';
import { common } from '../../texts/common.ts';
import { DeadLetters } from './dead-letters.tsx';
import { Jobs } from './jobs.tsx';
import { t } from './texts.ts';

/** A job, which is read again until it ends. */
const JobPage = ({ jobId }: { jobId: string }) => {
  const job = useJob(jobId);
  const [isCancel, setCancel] = useState(false);
  const texts = t();
  return (
    <Detail of={job} title={texts.jobs} back="/health" backText={titles().health}>
      {(value) => (
        <>
          <DetailHead title={kindOf(value.kind)} back="/health" backText={titles().health} onReload={job.reload}>
            {isOpen(value.status) && (
              <button type="button" class="danger" onClick={() => setCancel(true)}>
                {texts.cancelJob}
              </button>
            )}
          </DetailHead>
          <div class="section">
            <JobProgress value={value} onReload={job.reload} />
          </div>
          {isCancel && (
            <ActionDialog
              title={texts.cancelJob}
              operation={cancelJob}
              input={{ jobId }}
              target={{ reload: job.reload }}
              sendLabel={texts.cancelJob}
              isDangerous
              effect={({ status }) => <JobStatusBadge status={status} />}
              onDone={() => {
                setCancel(false);
                toast(texts.cancelled);
                job.reload();
              }}
              onClose={() => setCancel(false)}
            >
              <p>{texts.cancelText}</p>
            </ActionDialog>
          )}
        </>
      )}
    </Detail>
  );
};

const kinds = ['customerId', 'orderId', 'withdrawalId', 'userId'] as const;

type Kind = (typeof kinds)[number];

const needsPlatform = (kind: Kind): boolean => kind === 'customerId' || kind === 'orderId';

/** Erases the data of a person. The first choice only counts it, because a deletion cannot be undone. */
const EraseDialog = ({ onDone, onClose }: { onDone: (job: Output<'eraseCustomer'>) => void; onClose: () => void }) => {
  const [kind, setKind] = useState<Kind>('customerId');
  const [platform, setPlatform] = useState('');
  const [id, setId] = useState('');
  const [countOnly, setCountOnly] = useState(true);
  const input = { [kind]: id, countOnly, ...(needsPlatform(kind) && { platform }) };
  const isComplete = id !== '' && (platform !== '' || !needsPlatform(kind));
  const texts = t();
  return (
    <ActionDialog
      title={texts.erase}
      operation={eraseCustomer}
      input={isComplete ? input : undefined}
      sendLabel={countOnly ? texts.count : texts.erase}
      isDangerous={!countOnly}
      effect={({ request }) => <p>{request.countOnly ? texts.wouldCount : texts.wouldErase}</p>}
      onDone={onDone}
      onClose={onClose}
    >
      <p>{texts.eraseText}</p>
      <SelectField
        label={texts.whom}
        value={kind}
        options={kinds.map((code) => [code, texts.who[code]])}
        onChange={(chosen) => setKind(kinds.find((code) => code === chosen) ?? 'customerId')}
      />
      {needsPlatform(kind) && <TextField label={common().platform} value={platform} onChange={setPlatform} required />}
      <TextField label={texts.ids[kind]} value={id} onChange={setId} required />
      <CheckField label={texts.countOnly} checked={countOnly} onChange={setCountOnly} />
    </ActionDialog>
  );
};

const commands = {
  stage: 'aws lambda invoke --function-name returns-prod-doctor --qualifier live /dev/stdout',
  local: 'npm run doctor -- --stack',
  schedules: "aws scheduler list-schedules --query 'Schedules[].[Name,State]'",
} as const;

const Command = ({ text }: { text: string }) => (
  <p class="command">
    <code>{text}</code> <Copy text={text} />
  </p>
);

const Service = () => {
  const loaded = useCall(health, {});
  const texts = t();
  return (
    <Section
      title={texts.service}
      actions={
        <button type="button" disabled={loaded.isLoading} onClick={loaded.reload}>
          {texts.checkAgain}
        </button>
      }
    >
      <Resource of={loaded}>
        {({ status }) =>
          loaded.problem === undefined && (
            <p role="status">
              <Badge tone="good">{status}</Badge> {texts.ok}
            </p>
          )
        }
      </Resource>
      <Facts
        rows={[
          [texts.mode, texts.modes[config.mode]],
          [texts.issuer, config.issuer],
        ]}
      />
    </Section>
  );
};

const Operator = () => {
  const texts = t();
  return (
    <Section title={texts.doctor}>
      <p>{texts.doctorText}</p>
      <h3>{texts.doctorStage}</h3>
      <Command text={commands.stage} />
      <h3>{texts.doctorLocal}</h3>
      <Command text={commands.local} />
      <h3>{texts.schedules}</h3>
      <p>{texts.schedulesText}</p>
      <Command text={commands.schedules} />
    </Section>
  );
};

const Overview = () => {
  const [isErase, setErase] = useState(false);
  return (
    <>
      <header class="screen-head">
        <h1>{titles().health}</h1>
        <div class="actions">
          <button type="button" class="danger" onClick={() => setErase(true)}>
            {t().erase}
          </button>
        </div>
      </header>
      <div class="stack">
        <div class="halves">
          <Service />
          <Operator />
        </div>
        <DeadLetters />
        <Jobs />
      </div>
      {isErase && <EraseDialog onClose={() => setErase(false)} onDone={({ jobId }) => navigate(`/health/${jobId}`)} />}
    </>
  );
};

/** The state of the deployment, or one of its jobs. */
export const Screen = ({ id }: ScreenProps) => (id === '' ? <Overview /> : <JobPage jobId={id} />);
