import { useState } from 'preact/hooks';
import { health } from '../../../contract/operations.ts';
import { useCall } from '../../api/use-call.ts';
import { config } from '../../app/config.ts';
import { navigate } from '../../app/router.ts';
import type { ScreenProps } from '../../app/routes.ts';
import { Badge, Copy, Facts, Section } from '../../components/basics.tsx';
import { Resource } from '../../components/resource.tsx';
import { DeadLetters } from './dead-letters.tsx';
import { EraseDialog } from './erase-dialog.tsx';
import { JobPage } from './job-page.tsx';
import { Jobs } from './jobs.tsx';
import { t } from './texts.ts';

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
        <h1>{t().title}</h1>
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
