import { useState } from 'preact/hooks';
import type { Output } from '../../../contract/contract.ts';
import { eraseCustomer } from '../../../contract/operations.ts';
import { ActionDialog } from '../../components/action-dialog.tsx';
import { CheckField, SelectField, TextField } from '../../components/fields.tsx';
import { t } from './texts.ts';

const kinds = ['customerId', 'orderId', 'withdrawalId', 'userId'] as const;

type Kind = (typeof kinds)[number];

const needsPlatform = (kind: Kind): boolean => kind === 'customerId' || kind === 'orderId';

/** Erases the data of a person. The first choice only counts it, because a deletion cannot be undone. */
export const EraseDialog = ({
  onDone,
  onClose,
}: {
  onDone: (job: Output<'eraseCustomer'>) => void;
  onClose: () => void;
}) => {
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
        options={kinds.map((each) => [each, texts.who[each]])}
        onChange={(chosen) => setKind(kinds.find((each) => each === chosen) ?? 'customerId')}
      />
      {needsPlatform(kind) && <TextField label={texts.platform} value={platform} onChange={setPlatform} required />}
      <TextField label={texts.ids[kind]} value={id} onChange={setId} required />
      <CheckField label={texts.countOnly} checked={countOnly} onChange={setCountOnly} />
    </ActionDialog>
  );
};
