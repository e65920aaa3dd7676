import { useRef } from 'preact/hooks';
import type { DraftState } from '../use-draft.ts';
import { JsonPane, showPart } from './json-pane.tsx';
import { RulesPane } from './rules-pane.tsx';
import { t } from './texts.ts';

/** The rules and the JSON of a draft, side by side. */
export const Editor = ({ draft }: { draft: DraftState }) => {
  const json = useRef<HTMLTextAreaElement>(null);
  const { edits, findings, canEdit, isSaving, setText, setDocument } = draft;
  if (edits === undefined) return null;
  const { document, text, isValid, faultLine } = edits;
  const isFree = canEdit && !isSaving;
  return (
    <>
      <p class="fine">{t().rulesAndJson}</p>
      <div class="policy-editor">
        <RulesPane
          document={document}
          findings={findings}
          canEdit={isFree && isValid}
          onChange={setDocument}
          onShow={(pointer) => showPart(json.current, pointer)}
        />
        <JsonPane
          text={text}
          isValid={isValid}
          faultLine={faultLine}
          canEdit={isFree}
          element={json}
          onChange={setText}
          onFormat={() => setDocument(document)}
        />
      </div>
    </>
  );
};
