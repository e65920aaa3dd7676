import { useState } from 'preact/hooks';
import type { Output } from '../../../contract/contract.ts';
import { getWebhookEndpoint, testWebhookEndpoint } from '../../../contract/operations.ts';
import { call } from '../../api/call.ts';
import type { Problem } from '../../api/problem.ts';
import { type Loaded, useCall } from '../../api/use-call.ts';
import { navigate } from '../../app/router.ts';
import { titles } from '../../app/texts.ts';
import { Copy, Facts, Section, Time } from '../../components/basics.tsx';
import { Detail, DetailHead } from '../../components/detail.tsx';
import { Dialog } from '../../components/dialog.tsx';
import { Columns, TableWrap } from '../../components/page-table.tsx';
import { ProblemNotice } from '../../components/problem-notice.tsx';
import { toast } from '../../components/toast.tsx';
import { common } from '../../texts/common.ts';
import { BlockedStreams, Deliveries } from './deliveries.tsx';
import { EditDialog, RemoveDialog, RotateDialog, SwitchDialog } from './endpoint-dialogs.tsx';
import { SecretDialog } from './secret-dialog.tsx';
import { durationOf, EndpointState, resultOf } from './states.tsx';
import { t } from './texts.ts';
import { fieldText } from '../../forms/field-texts.ts';

type State = { readonly result?: Output<'testWebhookEndpoint'>; readonly problem?: Problem };

const Result = ({ delivered, attempt }: Output<'testWebhookEndpoint'>) => (
  <>
    <p class={delivered ? 'notice notice-good' : 'notice notice-bad'}>{delivered ? t().testPassed : t().testFailed}</p>
    <Facts
      rows={[
        [fieldText('at'), <Time key="at" at={attempt.at} />],
        [t().duration, durationOf(attempt)],
        [common().result, resultOf(attempt)],
        [t().response, attempt.response],
      ]}
    />
  </>
);

/** A button that sends a test event at once, and shows what the receiver answered. */
const EndpointTest = ({ endpointId }: { endpointId: string }) => {
  const [isBusy, setBusy] = useState(false);
  const [state, setState] = useState<State | undefined>();
  const test = async () => {
    setBusy(true);
    const answer = await call(testWebhookEndpoint, { endpointId });
    setState(answer.ok ? { result: answer.value } : { problem: answer.problem });
    setBusy(false);
  };
  return (
    <>
      <button type="button" disabled={isBusy} onClick={() => void test()}>
        {isBusy ? common().sending : t().act.test}
      </button>
      {state !== undefined && (
        <Dialog title={t().act.test} onClose={() => setState(undefined)}>
          {state.problem !== undefined && <ProblemNotice problem={state.problem} />}
          {state.result !== undefined && <Result {...state.result} />}
        </Dialog>
      )}
    </>
  );
};

type Value = Output<'getWebhookEndpoint'>;
type DialogName = 'edit' | 'switch' | 'rotate' | 'remove';

const Secrets = ({ of }: { of: Value['secrets'] }) => (
  <Section title={t().secrets}>
    <TableWrap label={t().secrets}>
      <Columns names={[t().createdAt, t().secretUntil]} />
      <tbody>
        {of.map(({ createdAt, expiresAt }) => (
          <tr key={createdAt}>
            <td>
              <Time at={createdAt} />
            </td>
            <td>{expiresAt === undefined ? t().newest : <Time at={expiresAt} />}</td>
          </tr>
        ))}
      </tbody>
    </TableWrap>
  </Section>
);

const Details = ({ value }: { value: Value }) => {
  const texts = t();
  const { disabled } = value;
  return (
    <Section title={texts.eventTypes}>
      <p>
        {value.eventTypes.includes('*')
          ? texts.allTypes
          : value.eventTypes.map((type) => (
              <>
                <code key={type}>{type}</code>{' '}
              </>
            ))}
      </p>
      <Facts
        rows={[
          [texts.description, value.description],
          [texts.disabledAt, disabled && <Time at={disabled.at} />],
          [fieldText('cause'), disabled && texts.reason[disabled.reason]],
          [texts.createdAt, <Time key="created" at={value.createdAt} />],
          [texts.updatedAt, <Time key="updated" at={value.updatedAt} />],
        ]}
      />
    </Section>
  );
};

const leaveRemoved = () => {
  toast(t().removed);
  navigate('/endpoints');
};

const Dialogs = ({
  open,
  of,
  value,
  onClose,
  onSecret,
}: {
  open: DialogName | undefined;
  of: Loaded<Value>;
  value: Value;
  onClose: () => void;
  onSecret: (secret: string) => void;
}) => {
  const onDone = (output: Value, version: number | undefined) => {
    onClose();
    of.replace(output, version ?? output.version);
    toast(t().saved);
  };
  const onRotated = (secret: string) => {
    onClose();
    of.reload();
    onSecret(secret);
  };
  const props = { of, value, onClose };
  if (open === 'edit') return <EditDialog {...props} onDone={onDone} />;
  if (open === 'switch') return <SwitchDialog {...props} onDone={onDone} />;
  if (open === 'rotate') return <RotateDialog {...props} onDone={onRotated} />;
  return open === 'remove' ? <RemoveDialog {...props} onDone={leaveRemoved} /> : null;
};

const Loaded = ({ of, value }: { of: Loaded<Value>; value: Value }) => {
  const [open, setOpen] = useState<DialogName | undefined>();
  const [secret, setSecret] = useState<string | undefined>();
  const texts = t();
  return (
    <>
      <DetailHead
        title={value.url}
        back="/endpoints"
        backText={texts.back}
        onReload={of.reload}
        below={
          <>
            <EndpointState enabled={value.enabled} />
            <span class="mono fine">{value.endpointId}</span>
            <Copy text={value.endpointId} />
          </>
        }
      >
        <EndpointTest endpointId={value.endpointId} />
        <button type="button" onClick={() => setOpen('edit')}>
          {common().edit}
        </button>
        <button type="button" class={value.enabled ? undefined : 'primary'} onClick={() => setOpen('switch')}>
          {value.enabled ? texts.act.disable : texts.act.enable}
        </button>
        <button type="button" onClick={() => setOpen('rotate')}>
          {texts.act.rotate}
        </button>
        <button type="button" class="danger" onClick={() => setOpen('remove')}>
          {texts.act.remove}
        </button>
      </DetailHead>
      <div class="stack">
        <div class="halves">
          <Details value={value} />
          <Secrets of={value.secrets} />
        </div>
        <BlockedStreams endpointId={value.endpointId} />
        <Deliveries endpoint={value} />
      </div>
      <Dialogs open={open} of={of} value={value} onClose={() => setOpen(undefined)} onSecret={setSecret} />
      {secret !== undefined && <SecretDialog secret={secret} onClose={() => setSecret(undefined)} />}
    </>
  );
};

/** An endpoint with its deliveries. */
export const Endpoint = ({ endpointId }: { endpointId: string }) => {
  const loaded = useCall(getWebhookEndpoint, { endpointId });
  return (
    <Detail of={loaded} title={titles().endpoints} back="/endpoints" backText={t().back}>
      {(value) => <Loaded of={loaded} value={value} />}
    </Detail>
  );
};
