import { useRef } from 'preact/hooks';
import type { Document } from '../document/document.ts';
import type { PlacedFinding } from './findings.ts';
import { JsonPane, showPart } from './json-pane.tsx';
import { RulesPane } from './rules-pane.tsx';

/** The rules and the JSON of one document, side by side. */
export const RulesAndJson = ({
  document,
  text,
  isValid,
  faultLine,
  findings,
  canEdit,
  onDocument,
  onText,
}: {
  document: Document;
  text: string;
  isValid: boolean;
  faultLine?: number | undefined;
  findings: readonly PlacedFinding[];
  canEdit: boolean;
  onDocument: (document: Document) => void;
  onText: (text: string) => void;
}) => {
  const json = useRef<HTMLTextAreaElement>(null);
  return (
    <div class="policy-editor">
      <RulesPane
        document={document}
        findings={findings}
        canEdit={canEdit && isValid}
        onChange={onDocument}
        onShow={(pointer) => showPart(json.current, pointer)}
      />
      <JsonPane
        text={text}
        isValid={isValid}
        faultLine={faultLine}
        canEdit={canEdit}
        element={json}
        onChange={onText}
        onFormat={() => onDocument(document)}
      />
    </div>
  );
};
