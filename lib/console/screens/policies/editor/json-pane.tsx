import type { RefObject } from 'preact';
import { locate } from '../document/pointer.ts';
import { t } from './texts.ts';
import { fill } from '../../../texts/fill.ts';

/** Selects the part of the text that a JSON Pointer leads to, and scrolls it into view. */
export const showPart = (element: HTMLTextAreaElement | null, pointer: string): void => {
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
export const JsonPane = ({
  text,
  isValid,
  faultLine,
  canEdit,
  element,
  onChange,
  onFormat,
}: {
  text: string;
  isValid: boolean;
  faultLine: number | undefined;
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
        {isValid ? '' : fill(words.jsonLine, { line: faultLine ?? 1 })}
      </p>
    </section>
  );
};
