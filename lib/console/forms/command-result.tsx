import type { OperationName } from '../../contract/contract.ts';
import type { Problem } from '../api/problem.ts';
import { Json } from '../components/basics.tsx';
import { ProblemNotice } from '../components/problem-notice.tsx';
import { label } from '../texts/labels.ts';
import { ChangeList } from './change-list.tsx';
import { formTexts } from './form-texts.ts';
import type { Titles } from './return-form.ts';
import type { CommandState } from './use-command.ts';

const AllowedNow = ({ actions }: { actions: NonNullable<Problem['allowedActions']> }) => {
  const t = formTexts();
  const allowed = actions.filter((each) => each.allowed).map(({ action }) => label('action', action));
  return <p>{allowed.length === 0 ? t.nothingAllowed : `${t.allowedNow} ${allowed.join(', ')}`}</p>;
};

const Stale = ({ state, titles }: { state: CommandState<OperationName>; titles?: Titles | undefined }) => {
  const t = formTexts();
  return (
    <div class="notice notice-warning" role="alert">
      <p>{state.problem?.code === 'idempotency_key_reused' ? t.keyReused : t.changedMeanwhile}</p>
      {state.since !== undefined && state.since.length > 0 && (
        <>
          <p class="fine">{t.sinceThen}</p>
          <ChangeList changes={state.since} titles={titles} />
        </>
      )}
    </div>
  );
};

/** What the last step of a command gave: its changes, why it failed, or what others changed meanwhile. */
export const CommandResult = ({
  state,
  titles,
  hasBefore,
}: {
  state: CommandState<OperationName>;
  titles?: Titles | undefined;
  hasBefore: boolean;
}) => {
  const t = formTexts();
  const { preview, problem, since } = state;
  return (
    <div>
      <div aria-live="polite">
        {state.working === 'preview' && <p class="fine">{t.previewing}</p>}
        {preview !== undefined && (
          <section class="preview">
            <h3>{hasBefore ? t.what : t.result}</h3>
            {hasBefore ? <ChangeList changes={preview.changes} titles={titles} /> : <Json value={preview.output} />}
          </section>
        )}
      </div>
      {since !== undefined && <Stale state={state} titles={titles} />}
      {problem !== undefined && since === undefined && (
        <>
          <ProblemNotice problem={problem} />
          {problem.allowedActions !== undefined && <AllowedNow actions={problem.allowedActions} />}
        </>
      )}
    </div>
  );
};
