import { Money } from '../../components/basics.tsx';
import { codeText } from '../../forms/value-texts.ts';
import type { Return } from './commands.ts';
import { PartAction } from './part-action.tsx';
import { refundResults } from './prefill.ts';
import { t } from './texts.ts';

type ResultButtonProps = {
  readonly refund: Return['refunds'][number];
  readonly text: string;
  /** The place of the refund in the list, from 1. */
  readonly place: number;
};

/** The money that the person confirms. */
const ResultIntro = ({ of: { amount, method } }: { of: ResultButtonProps['refund'] }) => (
  <p>
    <strong>
      <Money of={amount} />
    </strong>{' '}
    · {codeText('method', method)}
  </p>
);

/** A button that records the result of a refund. A refund without a possible result has none. */
export const ResultButton = ({ refund, text, place }: ResultButtonProps) => {
  const results = refundResults[refund.status];
  const [usual] = results;
  if (usual === undefined) return null;
  return (
    <PartAction
      name="recordRefundResult"
      text={text}
      about={`${t().refunds} ${place}`}
      command={{
        input: { refundId: refund.refundId },
        initial: { status: usual },
        // Only a failure has a code of the payment provider.
        excluded: ({ status }) => (status === 'failed' ? [] : ['code']),
        intro: <ResultIntro of={refund} />,
        choices: { status: results.map((status) => ({ value: status, text: codeText('status', status) })) },
      }}
    />
  );
};
