import messageEvents from '#contract/console-messages.json' with { type: 'json' };
import { getMessage } from '../../../contract/operations.ts';
import { useCall } from '../../api/use-call.ts';
import { Copy } from '../../components/basics.tsx';
import { Resource } from '../../components/resource.tsx';
import { Details, type Entry } from '../../components/timeline.tsx';
import { useScreen } from './context.ts';
import { t } from './texts.ts';

const withMessage: ReadonlySet<string> = new Set(messageEvents);

const encode = encodeURIComponent;

const Message = ({ sequence }: Entry) => {
  const loaded = useCall(getMessage, { resourceId: useScreen().value.returnId, sequence });
  return (
    <Resource of={loaded}>
      {({ to: { email }, subject, text }) => (
        <>
          <pre class="json body-text" tabIndex={0}>
            {`${subject}\n\n${text}`}
          </pre>
          <Copy text={text} />{' '}
          {email !== undefined && (
            <a href={`mailto:${encode(email)}?subject=${encode(subject)}&body=${encode(text)}`}>{email}</a>
          )}
        </>
      )}
    </Resource>
  );
};

/** The message of an entry to the customer, on demand: to copy, or to open in the program for mails. */
export const CustomerMessage = ({ of }: { of: Entry }) =>
  useScreen().value.managedBy === 'service' && withMessage.has(of.type) ? (
    <Details summary={t().customerMessage} details={(entry) => <Message {...entry} />} of={of} />
  ) : null;
