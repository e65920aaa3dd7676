import { useState } from 'preact/hooks';
import type { Input, Output } from '../../../contract/contract.ts';
import { deleteWebhookEndpoint, rotateWebhookSecret, updateWebhookEndpoint } from '../../../contract/operations.ts';
import type { Loaded } from '../../api/use-call.ts';
import { ActionDialog } from '../../components/action-dialog.tsx';
import { ChangeList } from '../../components/change-lines.tsx';
import { TextField } from '../../components/fields.tsx';
import { changeLines } from '../../texts/change-lines.ts';
import { common } from '../../texts/common.ts';
import { fill } from '../../texts/fill.ts';
import { type EndpointDraft, EndpointFields } from './endpoint-fields.tsx';
import { EndpointState } from './states.tsx';
import { t } from './texts.ts';

type Endpoint = Output<'getWebhookEndpoint'>;

export type EndpointDialogProps = {
  readonly of: Loaded<Endpoint>;
  readonly value: Endpoint;
  readonly onDone: (output: Endpoint, version: number | undefined) => void;
  readonly onClose: () => void;
};

/** Returns only what differs, because the body is a merge patch. */
const patchOf = (value: Endpoint, draft: { url: string; description: string; eventTypes: readonly string[] }) => ({
  ...(draft.url !== value.url && { url: draft.url }),
  ...(draft.description !== (value.description ?? '') && {
    description: draft.description === '' ? null : draft.description,
  }),
  ...(JSON.stringify(draft.eventTypes) !== JSON.stringify(value.eventTypes) && { eventTypes: draft.eventTypes }),
});

/** Changes the URL, the description and the event types. */
export const EditDialog = ({ of, value, onDone, onClose }: EndpointDialogProps) => {
  const { endpointId, url, description = '', eventTypes } = value;
  const [draft, setDraft] = useState<EndpointDraft>({
    url,
    description,
    eventTypes,
  });
  const patch = patchOf(value, draft);
  const isComplete = Object.keys(patch).length > 0 && draft.url !== '' && draft.eventTypes.length > 0;
  return (
    <ActionDialog
      title={common().edit}
      operation={updateWebhookEndpoint}
      input={isComplete ? ({ endpointId, ...patch } as Input<'updateWebhookEndpoint'>) : undefined}
      target={of}
      sendLabel={common().edit}
      isWide
      effect={(output) => <ChangeList of={changeLines(value, output)} />}
      onDone={onDone}
      onClose={onClose}
    >
      <EndpointFields draft={draft} onChange={setDraft} />
    </ActionDialog>
  );
};

/** Disables an enabled endpoint, and enables a disabled one. */
export const SwitchDialog = ({ of, value, onDone, onClose }: EndpointDialogProps) => {
  const title = value.enabled ? t().act.disable : t().act.enable;
  return (
    <ActionDialog
      title={title}
      operation={updateWebhookEndpoint}
      input={{ endpointId: value.endpointId, enabled: !value.enabled }}
      target={of}
      sendLabel={title}
      isDangerous={value.enabled}
      effect={({ enabled }) => <EndpointState enabled={enabled} />}
      onDone={onDone}
      onClose={onClose}
    >
      <p>{value.enabled ? t().disableText : t().enableText}</p>
    </ActionDialog>
  );
};

/** Deletes an endpoint. */
export const RemoveDialog = ({ of, value, onDone, onClose }: EndpointDialogProps) => (
  <ActionDialog
    title={t().act.remove}
    operation={deleteWebhookEndpoint}
    input={{ endpointId: value.endpointId }}
    target={of}
    sendLabel={t().act.remove}
    isDangerous
    effect={({ url }) => (
      <p>
        {t().wouldRemove} <code>{url}</code>
      </p>
    )}
    onDone={onDone}
    onClose={onClose}
  >
    <p>{t().removeText}</p>
  </ActionDialog>
);

const maxOverlapHours = 72;

/** Creates a new secret. */
export const RotateDialog = ({
  of,
  value,
  onDone,
  onClose,
}: Omit<EndpointDialogProps, 'onDone'> & { onDone: (secret: string) => void }) => {
  const [overlap, setOverlap] = useState('24');
  const hours = Number(overlap);
  const isComplete = overlap !== '' && Number.isInteger(hours) && hours >= 0 && hours <= maxOverlapHours;
  return (
    <ActionDialog
      title={t().act.rotate}
      operation={rotateWebhookSecret}
      input={isComplete ? { endpointId: value.endpointId, overlapHours: hours } : undefined}
      target={of}
      sendLabel={t().act.rotate}
      effect={({ secrets }) => <p>{fill(t().wouldRotate, { count: secrets.length })}</p>}
      onDone={({ secret = '' }) => onDone(secret)}
      onClose={onClose}
    >
      <p>{t().rotateText}</p>
      <TextField
        label={t().overlap}
        hint={t().overlapHint}
        type="number"
        value={overlap}
        onChange={setOverlap}
        required
      />
    </ActionDialog>
  );
};
