import { t } from '../texts.ts';
import type { DraftState } from '../use-draft.ts';
import { RulesAndJson } from './rules-and-json.tsx';

/** The rules and the JSON of a draft. */
export const Editor = ({ draft }: { draft: DraftState }) => {
  const { edits, findings, canEdit, isSaving, setText, setDocument } = draft;
  if (edits === undefined) return null;
  const { document, text, isValid, faultLine } = edits;
  return (
    <>
      <p class="fine">{t().rulesAndJson}</p>
      <RulesAndJson
        document={document}
        text={text}
        isValid={isValid}
        faultLine={faultLine}
        findings={findings}
        canEdit={canEdit && !isSaving}
        onDocument={setDocument}
        onText={setText}
      />
    </>
  );
};
