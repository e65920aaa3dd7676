import { useState } from 'preact/hooks';
import type { Output } from '../../../contract/contract.ts';
import { getHistory, verifyHistory } from '../../../contract/operations.ts';
import { call } from '../../api/call.ts';
import type { Problem } from '../../api/problem.ts';
import { usePages } from '../../api/use-pages.ts';
import { hrefOf, navigate, query, setQuery } from '../../app/router.ts';
import { titles } from '../../app/texts.ts';
import { Facts, Section } from '../../components/basics.tsx';
import { PageEnd, PageProblem } from '../../components/page-table.tsx';
import { ProblemNotice } from '../../components/problem-notice.tsx';
import { type Entry, Timeline } from '../../components/timeline.tsx';
import { common } from '../../texts/common.ts';
import { fill } from '../../texts/fill.ts';
import { AsOf } from './as-of.tsx';
import { t } from './texts.ts';
import { Value } from './values.tsx';
import { fieldText } from '../../forms/field-texts.ts';

const PolicyLink = ({ version }: { version: string }) => {
  const [policyId = '', number = ''] = version.split('/');
  return <a href={hrefOf(`/policies/${policyId}?tab=versions&version=${number}`)}>{version}</a>;
};

/** The data of an entry, and the proof that it is unchanged. */
const Proof = ({ of }: { of: Entry }) => {
  const words = t();
  return (
    <div class="proof">
      <div>
        <h3>
          {words.data} <code class="fine">{of.type}</code>
        </h3>
        <Value field="" value={of.data} />
        <p class="fine">{words.digest}</p>
      </div>
      <Facts
        rows={[
          [
            fieldText('policyVersion'),
            of.policyVersion === null ? undefined : <PolicyLink version={of.policyVersion} />,
          ],
          [fieldText('cause'), <code>{of.causationId}</code>],
          [common().problem.trace, <code>{of.correlationId}</code>],
          [words.hash, <code>{of.hash}</code>],
          [words.previous, <code>{of.previousHash}</code>],
          [words.mac, of.mac === undefined ? words.noMac : <code>{of.mac.key}</code>],
        ]}
      />
    </div>
  );
};

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
const ChainCheck = ({ returnId }: { returnId: string }) => {
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

const pageSize = 100;

const Choose = () => {
  const words = t();
  const [id, setId] = useState('');
  return (
    <form
      class="section"
      onSubmit={(event) => {
        event.preventDefault();
        navigate(`/history?returnId=${encodeURIComponent(id.trim())}`);
      }}
    >
      <div class="field">
        <label for="return-id">{words.which}</label>
        <input id="return-id" value={id} onInput={({ currentTarget }) => setId(currentTarget.value)} />
      </div>
      <button type="submit" class="primary" disabled={id.trim() === ''}>
        {words.open}
      </button>
    </form>
  );
};

const OneHistory = ({ returnId }: { returnId: string }) => {
  const words = t();
  const pages = usePages(getHistory, { returnId, limit: pageSize });
  const { items = [], hasMore } = pages;
  const wanted = Number(query.value.get('entry'));
  const current = items.find(({ sequence }) => sequence === wanted) ?? items.at(-1);
  return (
    <>
      <p>
        <a href={hrefOf(`/returns/${returnId}`)}>{words.return}</a> <code class="fine">{returnId}</code>
      </p>
      <ChainCheck returnId={returnId} />
      <div class="stack">
        {current !== undefined && <AsOf returnId={returnId} entries={items} current={current} hasMore={hasMore} />}
        <Section title={words.entries}>
          <Timeline
            entries={items}
            summary={words.details}
            details={(entry) => <Proof of={entry} />}
            choice={{
              shown: current?.sequence,
              onShow: (sequence) => setQuery({ entry: String(sequence) }, { replace: true }),
            }}
          />
          <PageProblem of={pages} />
          <PageEnd of={pages} />
        </Section>
      </div>
    </>
  );
};

/** The history of the return in the address: its entries, their proof, and the return as it was. */
export const Screen = () => {
  const returnId = query.value.get('returnId') ?? '';
  return (
    <>
      <header class="screen-head">
        <h1>{titles().history}</h1>
      </header>
      {returnId === '' ? <Choose /> : <OneHistory key={returnId} returnId={returnId} />}
    </>
  );
};
