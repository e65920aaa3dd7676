import { useState } from 'preact/hooks';
import type { Output } from '../../../contract/contract.ts';
import { getVersion, shadowDraft } from '../../../contract/operations.ts';
import { call } from '../../api/call.ts';
import type { Problem } from '../../api/problem.ts';
import { useCall } from '../../api/use-call.ts';
import { query } from '../../app/router.ts';
import { Badge, Section } from '../../components/basics.tsx';
import { ProblemNotice } from '../../components/problem-notice.tsx';
import { Resource } from '../../components/resource.tsx';
import { toast } from '../../components/toast.tsx';
import { fill } from '../../texts/fill.ts';
import { toText } from './document/document.ts';
import { RulesAndJson } from './editor/rules-and-json.tsx';
import { Backtests } from './effects/backtest.tsx';
import { t as effectsTexts } from './effects/texts.ts';
import { Cases } from './lifecycle/cases.tsx';
import { Conflict } from './lifecycle/conflict.tsx';
import { Diff } from './lifecycle/diff.tsx';
import { Publish } from './lifecycle/publish.tsx';
import { t as lifecycleTexts } from './lifecycle/texts.ts';
import { t } from './texts.ts';
import type { DraftState } from './use-draft.ts';

const ignore = () => undefined;

/** The rules and the JSON of one version, for readers. */
const VersionView = ({ policyId, version }: { policyId: string; version: number }) => {
  const loaded = useCall(getVersion, { policyId, version });
  return (
    <Resource of={loaded}>
      {({ document }) => (
        <section aria-label={fill(lifecycleTexts().rulesOf, { version })}>
          <h2 class="version-title">{fill(lifecycleTexts().rulesOf, { version })}</h2>
          <RulesAndJson
            document={document}
            text={toText(document)}
            isValid
            findings={[]}
            canEdit={false}
            onDocument={ignore}
            onText={ignore}
          />
        </section>
      )}
    </Resource>
  );
};

/** Starts and stops the shadow evaluation of the draft. */
const ShadowSwitch = ({ draft }: { draft: DraftState }) => {
  const words = effectsTexts().shadow;
  const [problem, setProblem] = useState<Problem | undefined>();
  const [isBusy, setBusy] = useState(false);
  const { saved, canEdit, loaded } = draft;
  if (saved === undefined) return null;
  const isOn = saved.shadowed === true;
  const change = async () => {
    setBusy(true);
    setProblem(undefined);
    const answer = await call(shadowDraft, { policyId: saved.policyId, enabled: !isOn }, { version: saved.revision });
    setBusy(false);
    if (answer.ok) {
      loaded.replace(answer.value, answer.version);
      toast(isOn ? words.stopped : words.started);
      return;
    }
    setProblem(answer.problem);
    if (answer.problem.status === 412) loaded.reload();
  };
  return (
    <Section title={words.title}>
      <p>{words.text}</p>
      <div class="row">
        <Badge tone={isOn ? 'active' : 'neutral'}>{isOn ? words.on : words.off}</Badge>
        <button type="button" disabled={isBusy || !canEdit} onClick={() => void change()}>
          {isOn ? words.stop : words.start}
        </button>
      </div>
      {problem !== undefined && <ProblemNotice problem={problem} onRetry={() => void change()} />}
    </Section>
  );
};

/** The rules and the JSON of a draft. */
const Editor = ({ draft }: { draft: DraftState }) => {
  const { edits, findings, canEdit, isSaving, setText, setDocument } = draft;
  if (edits === undefined) return null;
  const { document, text, isValid, errorLine } = edits;
  return (
    <>
      <p class="fine">{t().rulesAndJson}</p>
      <RulesAndJson
        document={document}
        text={text}
        isValid={isValid}
        errorLine={errorLine}
        findings={findings}
        canEdit={canEdit && !isSaving}
        onDocument={setDocument}
        onText={setText}
      />
    </>
  );
};

/** What the draft would change, beside its rules. Nothing is read before a person opens it. */
const Effect = ({ draft, policyId }: { draft: DraftState; policyId: string }) => {
  const [isOpen, setOpen] = useState(query.value.has('job'));
  return (
    <details class="rule-card" open={isOpen} onToggle={({ currentTarget }) => setOpen(currentTarget.open)}>
      <summary>
        <strong>{effectsTexts().title}</strong> <span class="fine">{effectsTexts().text}</span>
      </summary>
      {isOpen && <Backtests draft={draft} policyId={policyId} source="decisions" />}
    </details>
  );
};

export type PartName = 'version' | 'draft' | 'cases' | 'backtest' | 'shadow' | 'diff' | 'publish' | 'conflict';

/** What a policy shows besides its versions. */
export const Part = ({
  name,
  policy,
  draft,
  onChanged,
}: {
  name: PartName;
  policy: Output<'getPolicy'>;
  draft: DraftState;
  onChanged: () => void;
}) => {
  const { policyId } = policy;
  const { conflict, edits } = draft;
  switch (name) {
    case 'version': {
      const version = Number(query.value.get('version'));
      return <VersionView key={version} policyId={policyId} version={version} />;
    }
    case 'draft':
      return (
        <>
          <Editor draft={draft} />
          <Effect draft={draft} policyId={policyId} />
        </>
      );
    case 'diff':
      return <Diff policyId={policyId} latest={policy.latest} inForce={policy.inForce} />;
    case 'cases':
      return <Cases draft={draft} />;
    case 'backtest':
      return <Backtests key="decisions" draft={draft} policyId={policyId} source="decisions" />;
    case 'shadow':
      return (
        <div class="stack">
          <ShadowSwitch draft={draft} />
          <Backtests key="shadow" draft={draft} policyId={policyId} source="shadow" />
        </div>
      );
    case 'publish':
      return <Publish policy={policy} draft={draft} onPublished={onChanged} />;
    case 'conflict':
      return conflict === undefined || edits === undefined ? null : (
        <Conflict
          base={conflict.base}
          mine={edits.document}
          theirs={conflict.theirs}
          onResolve={draft.resolve}
          onClose={draft.endConflict}
        />
      );
  }
};
