import { useState } from 'preact/hooks';
import type { Output } from '../../../contract/contract.ts';
import { getWithdrawalHistory, verifyWithdrawalHistory } from '../../../contract/operations.ts';
import { call } from '../../api/call.ts';
import type { Problem } from '../../api/problem.ts';
import { usePages } from '../../api/use-pages.ts';
import { titles } from '../../app/texts.ts';
import { ActorName } from '../../components/actor-name.tsx';
import { Json, Section, Time } from '../../components/basics.tsx';
import { download } from '../../components/download.ts';
import { PageTable } from '../../components/page-table.tsx';
import { ProblemNotice } from '../../components/problem-notice.tsx';
import { fieldText } from '../../forms/field-texts.ts';
import { common } from '../../texts/common.ts';
import { fill } from '../../texts/fill.ts';
import { t } from './texts.ts';

type Entry = Output<'getWithdrawalHistory'>['items'][number];
type Verification = Output<'verifyWithdrawalHistory'>;

/** Returns the words for an event, or the type of an event that a newer release added. */
const eventOf = ({ type }: Entry): string => (t().events as Readonly<Record<string, string>>)[type] ?? type;

const Row = ({ entry }: { entry: Entry }) => (
  <tr>
    <td class="number">{entry.sequence}</td>
    <td>
      <Time at={entry.at} />
    </td>
    <td>{eventOf(entry)}</td>
    <td>
      <ActorName actor={entry.actor} />
    </td>
    <td>
      <details>
        <summary>{common().details}</summary>
        <Json value={entry.data} />
        <p class="fine hash mono">{entry.hash}</p>
      </details>
    </td>
  </tr>
);

const Result = ({ of }: { of: Verification }) => {
  const texts = t();
  const { proof, firstFault } = of;
  return (
    <div class={of.valid ? 'notice notice-good' : 'notice notice-bad'}>
      <p>{of.valid ? fill(texts.valid, { entries: of.entries }) : texts.invalid}</p>
      {firstFault !== undefined && (
        <p>
          {fill(texts.atEntry, { sequence: firstFault.sequence })}: {firstFault.detail} <code>{firstFault.code}</code>
        </p>
      )}
      <p class="fine">{proof === undefined ? texts.noProof : texts.proof}</p>
      {proof !== undefined && (
        <button type="button" onClick={() => download('proof.json', JSON.stringify(proof), 'application/json')}>
          {texts.saveProof}
        </button>
      )}
    </div>
  );
};

type State = { readonly result?: Verification; readonly problem?: Problem; readonly isBusy?: true };

/** The history of a declaration, and a check of its hashes. */
export const History = ({ withdrawalId, version }: { withdrawalId: string; version: number }) => {
  const pages = usePages(getWithdrawalHistory, { withdrawalId, limit: 50 });
  const [shown, setShown] = useState(version);
  const [state, setState] = useState<State>({});
  if (shown !== version) {
    setShown(version);
    setState({});
    pages.reload();
  }
  const verify = async () => {
    setState({ isBusy: true });
    const answer = await call(verifyWithdrawalHistory, { withdrawalId });
    setState(answer.ok ? { result: answer.value } : { problem: answer.problem });
  };
  const texts = t();
  return (
    <Section
      title={titles().history}
      actions={
        <button type="button" disabled={state.isBusy === true} onClick={() => void verify()}>
          {state.isBusy === true ? texts.verifying : texts.verify}
        </button>
      }
    >
      <div aria-live="polite">
        {state.problem !== undefined && <ProblemNotice problem={state.problem} />}
        {state.result !== undefined && <Result of={state.result} />}
      </div>
      <PageTable
        of={pages}
        label={titles().history}
        columns={[`#${texts.entry}`, fieldText('at'), texts.event, common().by, common().details]}
        row={(entry) => <Row key={entry.sequence} entry={entry} />}
      />
    </Section>
  );
};
