import { useState } from 'preact/hooks';
import { Dialog } from '../../../components/dialog.tsx';
import { common } from '../../../texts/common.ts';
import { type Members, parseDocument, toText } from '../document/document.ts';
import { t } from './texts.ts';

/** A golden case as JSON. */
export const EditCase = ({
  value,
  onChange,
  onClose,
}: {
  value: Members;
  onChange: (value: Members) => void;
  onClose: () => void;
}) => {
  const words = t().cases;
  const [text, setText] = useState(() => toText(value));
  const parsed = parseDocument(text);
  return (
    <Dialog title={words.edit} onClose={onClose} wide>
      <div class="field">
        <label for="case-json">{words.json}</label>
        <textarea
          id="case-json"
          class="mono case-json"
          spellcheck={false}
          aria-invalid={!parsed.ok}
          value={text}
          onInput={({ currentTarget }) => setText(currentTarget.value)}
        />
        <span class="field-error" role="status">
          {parsed.ok ? '' : words.invalidJson}
        </span>
      </div>
      <div class="actions">
        <button
          type="button"
          class="primary"
          disabled={!parsed.ok}
          onClick={() => parsed.ok && onChange(parsed.document)}
        >
          {words.apply}
        </button>
        <button type="button" onClick={onClose}>
          {common().cancel}
        </button>
      </div>
    </Dialog>
  );
};
