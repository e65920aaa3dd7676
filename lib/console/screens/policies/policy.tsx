import { useState } from 'preact/hooks';
import type { Output } from '../../../contract/contract.ts';
import { archive, getPolicy, listVersions, saveDraft } from '../../../contract/operations.ts';
import { call } from '../../api/call.ts';
import type { Problem } from '../../api/problem.ts';
import { type Loaded, useCall } from '../../api/use-call.ts';
import { hrefOf, query } from '../../app/router.ts';
import { titles } from '../../app/texts.ts';
import { useTitle } from '../../app/title.ts';
import { ActionDialog } from '../../components/action-dialog.tsx';
import { Badge } from '../../components/basics.tsx';
import { lazy } from '../../components/lazy.tsx';
import { ProblemNotice } from '../../components/problem-notice.tsx';
import { Resource } from '../../components/resource.tsx';
import { toast } from '../../components/toast.tsx';
import { Unsaved } from '../../components/unsaved.tsx';
import { may } from '../../session/session.ts';
import { fill } from '../../texts/fill.ts';
import { DraftBar } from './draft-bar.tsx';
import { t as lifecycleTexts } from './lifecycle/texts.ts';
import { Versions } from './lifecycle/versions.tsx';
import type { PartName } from './parts.tsx';
import { t } from './texts.ts';
import { type DraftState, useDraft } from './use-draft.ts';

/** Ends the published versions of a policy. */
const Archive = ({ of, policy, onClose }: { of: Loaded<Policy>; policy: Policy; onClose: () => void }) => {
  const words = lifecycleTexts();
  return (
    <ActionDialog
      title={`${words.archiveTitle}: ${policy.name}`}
      operation={archive}
      input={{ policyId: policy.policyId }}
      target={{ ...of, version: policy.revision }}
      sendLabel={words.archive}
      isDangerous
      effect={() => t().notInForce}
      onDone={() => {
        toast(words.archived);
        of.reload();
        onClose();
      }}
      onClose={onClose}
    >
      <p>{words.archiveText}</p>
      <p class="fine">{words.cannotUndo}</p>
    </ActionDialog>
  );
};

// The other tabs are one file. A person who changes a draft needs all of them.
const Part = lazy('parts of a policy', async () => (await import('./parts.tsx')).Part);

type Policy = Output<'getPolicy'>;

const tabs = ['versions', 'draft', 'cases', 'backtest', 'shadow', 'diff', 'publish'] as const;
type Tab = (typeof tabs)[number];

const draftTabs: ReadonlySet<Tab> = new Set(['draft', 'cases', 'backtest', 'shadow', 'publish']);
const adminTabs: ReadonlySet<Tab> = new Set(['backtest', 'shadow', 'publish']);

/** The tabs that the scopes of the person allow. */
const allowedTabs = (): readonly Tab[] => tabs.filter((tab) => !adminTabs.has(tab) || may('returns:admin'));

const Tabs = ({ policyId, current }: { policyId: string; current: Tab }) => (
  <nav class="tabs" aria-label={titles().policies}>
    {allowedTabs().map((tab) => (
      <a
        key={tab}
        href={hrefOf(`/policies/${policyId}?tab=${tab}`)}
        {...(tab === current && { 'aria-current': 'page' as const })}
      >
        {t().tabs[tab]}
      </a>
    ))}
  </nav>
);

/** Offers a draft with the content of a version. */
const StartDraft = ({ policy, onStarted }: { policy: Policy; onStarted: () => void }) => {
  const words = t();
  const [problem, setProblem] = useState<Problem | undefined>();
  const [isBusy, setBusy] = useState(false);
  const { policyId, latest, inForce = latest } = policy;
  const start = async () => {
    setBusy(true);
    const answer = await call(saveDraft, { policyId, copyOf: inForce }, { version: 0 });
    setBusy(false);
    if (!answer.ok) return setProblem(answer.problem);
    toast(words.draftStarted);
    return onStarted();
  };
  return (
    <section class="section draft-bar" aria-label={words.tabs.draft}>
      <p>{words.noDraft}</p>
      {problem !== undefined && <ProblemNotice problem={problem} />}
      {may('returns:admin') ? (
        <button type="button" class="primary" disabled={isBusy} onClick={() => void start()}>
          {fill(words.startDraft, { version: inForce })}
        </button>
      ) : (
        <p class="field-warning">{words.needsAdmin}</p>
      )}
    </section>
  );
};

const Body = ({
  tab,
  policy,
  draft,
  onChanged,
}: {
  tab: Tab;
  policy: Policy;
  draft: DraftState;
  onChanged: () => void;
}) => {
  const { policyId } = policy;
  const versions = useCall(listVersions, tab === 'versions' ? { policyId, limit: 200 } : undefined);
  const part = (name: PartName) => <Part name={name} policy={policy} draft={draft} onChanged={onChanged} />;
  if (tab !== 'versions') return part(tab);
  return (
    <>
      <Resource of={versions}>{({ items }) => <Versions policy={policy} versions={items} />}</Resource>
      {Number(query.value.get('version')) > 0 && part('version')}
    </>
  );
};

const OnePolicy = ({ of, policy }: { of: Loaded<Policy>; policy: Policy }) => {
  const words = t();
  useTitle(() => policy.name);
  const draft = useDraft(policy, of.reload);
  const [isArchiving, setArchiving] = useState(false);
  const wanted = query.value.get('tab');
  const tab = allowedTabs().find((allowed) => allowed === wanted) ?? 'versions';
  const isOfDraft = draftTabs.has(tab);
  return (
    <>
      <Unsaved isDirty={draft.isDirty} />
      <header class="screen-head">
        <h1>{policy.name}</h1>
        <a href={hrefOf('/policies/text')}>{words.customerText}</a>
        <div class="row">
          {policy.inForce === undefined ? (
            <Badge>{words.notInForce}</Badge>
          ) : (
            <Badge tone="good">{fill(words.inForce, { version: policy.inForce })}</Badge>
          )}
          {policy.draft !== undefined && (
            <Badge tone="warning">{fill(words.hasDraft, { version: policy.draft })}</Badge>
          )}
          {draft.isDirty && !isOfDraft && <Badge tone="warning">{fill(words.unsaved, { count: 1 })}</Badge>}
          {policy.inForce !== undefined && may('returns:admin') && (
            <button type="button" class="danger" onClick={() => setArchiving(true)}>
              {lifecycleTexts().archive}
            </button>
          )}
        </div>
      </header>
      <Tabs policyId={policy.policyId} current={tab} />
      {isOfDraft && policy.draft === undefined && <StartDraft policy={policy} onStarted={of.reload} />}
      {isOfDraft && draft.loaded.problem !== undefined && <ProblemNotice problem={draft.loaded.problem} />}
      {(tab === 'draft' || tab === 'cases') && <DraftBar draft={draft} />}
      <Body tab={tab} policy={policy} draft={draft} onChanged={of.reload} />
      {draft.conflict !== undefined && draft.edits !== undefined && (
        <Part name="conflict" policy={policy} draft={draft} onChanged={of.reload} />
      )}
      {isArchiving && <Archive of={of} policy={policy} onClose={() => setArchiving(false)} />}
    </>
  );
};

/** A policy with its versions, its draft, and everything that a draft needs before it is published. */
export const PolicyScreen = ({ policyId }: { policyId: string }) => {
  const policy = useCall(getPolicy, { policyId });
  return <Resource of={policy}>{(value) => <OnePolicy of={policy} policy={value} />}</Resource>;
};
