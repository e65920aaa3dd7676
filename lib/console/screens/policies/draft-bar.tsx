import { ActorName } from '../../components/actor-name.tsx';
import { Badge, Time } from '../../components/basics.tsx';
import { ProblemNotice } from '../../components/problem-notice.tsx';
import { common } from '../../texts/common.ts';
import { fill } from '../../texts/fill.ts';
import { changedParts } from './document/merge.ts';
import { FindingLine } from './editor/finding-line.tsx';
import { TextInput } from './editor/inputs.tsx';
import { t } from './texts.ts';
import type { DraftState } from './use-draft.ts';

const changesOf = ({ saved, edits, isDirty }: DraftState): number => {
  if (!isDirty || saved === undefined || edits === undefined) return 0;
  // A text that is not valid JSON, a new note and a new name count as one change.
  return Math.max(1, changedParts(saved.document, edits.document).length);
};

/** Who saved the draft, what is unsaved, and the buttons to save or discard it. */
export const DraftBar = ({ draft }: { draft: DraftState }) => {
  const words = t();
  const { saved, edits, isDirty, isSaving, canEdit, findings, problem } = draft;
  if (saved === undefined || edits === undefined) return null;
  const errors = findings.filter(({ severity }) => severity === 'error').length;
  const warnings = findings.length - errors;
  const others = findings.filter(({ rule }) => rule === undefined);
  return (
    <section class="section draft-bar" aria-label={words.tabs.draft}>
      <div class="row">
        <span>
          {words.savedBy} <ActorName actor={saved.updatedBy} byList />, <Time at={saved.updatedAt} />
          <span class="fine"> · {fill(words.revision, { number: saved.revision })}</span>
        </span>
        <span role="status" class="row">
          {isDirty ? (
            <Badge tone="warning">{fill(words.unsaved, { count: changesOf(draft) })}</Badge>
          ) : (
            <span>{words.allSaved}</span>
          )}
          {errors > 0 && <Badge tone="bad">{fill(words.errors, { count: errors })}</Badge>}
          {warnings > 0 && <Badge tone="warning">{fill(words.warnings, { count: warnings })}</Badge>}
          {canEdit && findings.length === 0 && !isDirty && <Badge tone="good">{words.noFindings}</Badge>}
        </span>
        {canEdit && (
          <span class="actions">
            <button
              type="button"
              class="primary"
              disabled={!isDirty || !edits.isValid || isSaving}
              onClick={() => void draft.save()}
            >
              {isSaving ? words.saving : words.save}
            </button>
            <button type="button" disabled={!isDirty || isSaving} onClick={draft.discard}>
              {words.discard}
            </button>
          </span>
        )}
      </div>
      {!canEdit && <p class="field-warning">{words.needsAdmin}</p>}
      {isDirty && findings.length > 0 && problem === undefined && <p class="fine">{words.findingsOfSaved}</p>}
      {problem !== undefined &&
        (problem.code === 'policy_invalid' ? (
          <p class="field-error" role="alert">
            {words.refusedTitle}
          </p>
        ) : (
          <ProblemNotice problem={problem} onRetry={() => void draft.save()} />
        ))}
      {others.length > 0 && (
        <ul class="findings">
          {others.map((finding) => (
            <li key={`${finding.code}${finding.path}`}>
              <FindingLine of={finding} place={finding.path} />
            </li>
          ))}
        </ul>
      )}
      <fieldset class="bare pair" disabled={!canEdit || isSaving}>
        <TextInput label={common().name} value={edits.name} onChange={(name) => draft.setHead({ name })} />
        <TextInput label={words.note} value={edits.note} onChange={(note) => draft.setHead({ note })} />
      </fieldset>
    </section>
  );
};
