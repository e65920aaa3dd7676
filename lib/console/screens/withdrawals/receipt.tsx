import { useState } from 'preact/hooks';
import type { Output } from '../../../contract/contract.ts';
import { getWithdrawalReceipt } from '../../../contract/operations.ts';
import { useCall } from '../../api/use-call.ts';
import { Copy, Facts, Section, Time } from '../../components/basics.tsx';
import { download } from '../../components/download.ts';
import { Resource } from '../../components/resource.tsx';
import { ReceiptStatus } from './badges.tsx';
import { t } from './texts.ts';
import { fieldText } from '../../forms/field-texts.ts';

type Withdrawal = Output<'getWithdrawal'>;

const Receipt = ({ withdrawalId }: { withdrawalId: string }) => {
  const loaded = useCall(getWithdrawalReceipt, { withdrawalId });
  return (
    <Resource of={loaded}>
      {({ text, html, jws }) => (
        <>
          <div class="actions more">
            <button type="button" onClick={() => download(`${withdrawalId}.txt`, text, 'text/plain')}>
              {t().textFile}
            </button>
            {/* The page of the receipt has texts of the consumer. It is never shown inside the console. */}
            <button type="button" onClick={() => download(`${withdrawalId}.html`, html, 'text/html')}>
              {t().pageFile}
            </button>
            <button type="button" onClick={() => download(`${withdrawalId}.jws`, jws, 'application/jose')}>
              {t().signedFile}
            </button>
          </div>
          <pre class="json body-text" tabIndex={0}>
            {text}
          </pre>
        </>
      )}
    </Resource>
  );
};

/** The receipt: whether the consumer has it, its digest, and its text on demand. */
export const ReceiptSection = ({ value }: { value: Withdrawal }) => {
  const [isShown, setShown] = useState(false);
  const { receipt, withdrawalId, erased } = value;
  const texts = t();
  return (
    <Section title={t().receiptLabel} actions={<ReceiptStatus status={receipt.status} />}>
      <Facts
        rows={[
          [texts.sentAt, receipt.sent && <Time at={receipt.sent.sentAt} />],
          [fieldText('channel'), receipt.sent && texts.channel[receipt.sent.channel]],
          [fieldText('reference'), receipt.sent?.reference],
          [
            'SHA-256',
            <>
              <span class="mono">{receipt.sha256}</span> <Copy text={receipt.sha256} />
            </>,
          ],
          [
            texts.keyId,
            <span key="key" class="mono">
              {receipt.keyId}
            </span>,
          ],
        ]}
      />
      {erased !== true && !isShown && (
        <p class="more">
          <button type="button" onClick={() => setShown(true)}>
            {texts.showReceipt}
          </button>
        </p>
      )}
      {isShown && <Receipt withdrawalId={withdrawalId} />}
    </Section>
  );
};
