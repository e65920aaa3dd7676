import { useState } from 'preact/hooks';
import type { Output } from '../../../contract/contract.ts';
import { verifyHistory } from '../../../contract/operations.ts';
import { call } from '../../api/call.ts';
import type { Problem } from '../../api/problem.ts';
import { ProblemNotice } from '../../components/problem-notice.tsx';
import { t } from './texts.ts';
import { fill } from '../../texts/fill.ts';

type Verification = Output<'verifyHistory'>;

const Result = ({ of: { valid, entries, firstFault, head, anchor } }: { of: Verification }) => {
  const words = t();
  const unproved = entries - (anchor?.version ?? 0);
  return (
    <div class={`notice ${valid ? 'notice-good' : 'notice-bad'}`}>
      <strong>{valid ? fill(words.valid, { entries }) : words.invalid}</strong>
      {firstFault !== undefined && (
        <>
          <p>
            {fill(words.at, { sequence: firstFault.sequence })} {words.fault[firstFault.code]}{' '}
            {fill(words.sound, { entries })}
          </p>
          <p class="fine">{firstFault.detail}</p>
        </>
      )}
      {valid && unproved > 0 && <p class="fine">{fill(words.unproved, { entries: unproved })}</p>}
      <p class="fine">
        {words.head}: <code class="wrap">{head}</code>
      </p>
    </div>
  );
};

/** Checks the chain of a history when the person asks for it. */
export const ChainCheck = ({ returnId }: { returnId: string }) => {
  const words = t();
  const [state, setState] = useState<{ value?: Verification; problem?: Problem; isBusy: boolean }>({ isBusy: false });
  const check = async () => {
    setState({ isBusy: true });
    const answer = await call(verifyHistory, { returnId });
    setState(answer.ok ? { value: answer.value, isBusy: false } : { problem: answer.problem, isBusy: false });
  };
  return (
    <div class="chain-check">
      <button type="button" disabled={state.isBusy} onClick={() => void check()}>
        {state.isBusy ? words.verifying : words.verify}
      </button>
      <div aria-live="polite">{state.value !== undefined && <Result of={state.value} />}</div>
      {state.problem !== undefined && <ProblemNotice problem={state.problem} onRetry={() => void check()} />}
    </div>
  );
};
