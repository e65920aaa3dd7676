import type { Output } from '../../../contract/contract.ts';
import { query } from '../../app/router.ts';
import { Editor } from './editor/editor.tsx';
import { Backtests } from './effects/backtest.tsx';
import { ShadowSwitch } from './effects/shadow.tsx';
import { Cases } from './life/cases.tsx';
import { Conflict } from './life/conflict.tsx';
import { Diff } from './life/diff.tsx';
import { Publish } from './life/publish.tsx';
import { VersionView } from './life/version-view.tsx';
import type { DraftState } from './use-draft.ts';

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
      return <Editor draft={draft} />;
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
