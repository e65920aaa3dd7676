import { useState } from 'preact/hooks';
import type { Output } from '../../../contract/contract.ts';
import { testWebhookEndpoint } from '../../../contract/operations.ts';
import { call } from '../../api/call.ts';
import type { Problem } from '../../api/problem.ts';
import { Dialog } from '../../components/dialog.tsx';
import { Facts, Time } from '../../components/basics.tsx';
import { ProblemNotice } from '../../components/problem-notice.tsx';
import { durationOf, resultOf } from './states.tsx';
import { t } from './texts.ts';

type State = { readonly result?: Output<'testWebhookEndpoint'>; readonly problem?: Problem };

const Result = ({ delivered, attempt }: Output<'testWebhookEndpoint'>) => (
  <>
    <p class={delivered ? 'notice notice-good' : 'notice notice-bad'}>{delivered ? t().testPassed : t().testFailed}</p>
    <Facts
      rows={[
        [t().at, <Time key="at" at={attempt.at} />],
        [t().duration, durationOf(attempt)],
        [t().result, resultOf(attempt)],
        [t().response, attempt.response],
      ]}
    />
  </>
);

/** A button that sends a test event at once, and shows what the receiver answered. */
export const EndpointTest = ({ endpointId }: { endpointId: string }) => {
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
        {isBusy ? t().testing : t().act.test}
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
