import type { RefObject } from 'preact';
import { useRef } from 'preact/hooks';
import { fill } from '../../../texts/fill.ts';
import type { Document } from '../document/document.ts';
import { locate } from '../document/pointer.ts';
import type { PlacedFinding } from './findings.ts';
import { RulesPane } from './rules-pane.tsx';
import { t } from './texts.ts';

/** Selects the part of the text that a JSON Pointer leads to, and scrolls it into view. */
const showPart = (element: HTMLTextAreaElement | null, pointer: string): void => {
  if (element === null) return;
  const [from, to] = locate(element.value, pointer);
  element.focus();
  element.setSelectionRange(from, to);
  const lineHeight = Number.parseFloat(getComputedStyle(element).lineHeight);
  const line = element.value.slice(0, from).split('\n').length;
  element.scrollTop = Math.max(0, (line - 4) * lineHeight);
  element.scrollIntoView({ block: 'nearest' });
};

/** The document as text. */
const JsonPane = ({
  text,
  isValid,
  errorLine,
  canEdit,
  element,
  onChange,
  onFormat,
}: {
  text: string;
  isValid: boolean;
  errorLine: number | undefined;
  canEdit: boolean;
  element: RefObject<HTMLTextAreaElement | null>;
  onChange: (text: string) => void;
  onFormat: () => void;
}) => {
  const words = t();
  return (
    <section class="section json-pane" aria-label={words.json}>
      <header class="section-head">
        <h2>{words.json}</h2>
        {canEdit && (
          <button type="button" disabled={!isValid} onClick={onFormat}>
            {words.format}
          </button>
        )}
      </header>
      <textarea
        ref={element}
        class="mono"
        aria-label={words.jsonLabel}
        aria-invalid={!isValid}
        readOnly={!canEdit}
        spellcheck={false}
        autocomplete="off"
        wrap="off"
        value={text}
        onInput={({ currentTarget }) => onChange(currentTarget.value)}
      />
      <p class="field-error" role="status">
        {isValid ? '' : fill(words.jsonLine, { line: errorLine ?? 1 })}
      </p>
    </section>
  );
};

/** The rules and the JSON of one document, side by side. */
export const RulesAndJson = ({
  document,
  text,
  isValid,
  errorLine,
  findings,
  canEdit,
  onDocument,
  onText,
}: {
  document: Document;
  text: string;
  isValid: boolean;
  errorLine?: number | undefined;
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
        errorLine={errorLine}
        canEdit={canEdit}
        element={json}
        onChange={onText}
        onFormat={() => onDocument(document)}
      />
    </div>
  );
};
