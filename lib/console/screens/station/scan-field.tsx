import type { RefObject } from 'preact';
import { useEffect, useState } from 'preact/hooks';
import { Camera, hasCamera } from './camera.tsx';
import { waiting } from './scan.ts';
import { t } from './texts.ts';

/** A scan would change the choice of a list by its letters. So lists, too, leave letters to the field. */
const takesText = 'input:not([type="radio"], [type="checkbox"], [type="file"]), textarea, dialog, [contenteditable]';

const isEditable = (target: EventTarget | null): boolean =>
  target instanceof HTMLElement && target.closest(takesText) !== null;

/**
 * The field that takes all codes. A scanner types a code and presses Enter. The field also takes what a scanner types
 * while a button has the focus: otherwise the Enter of the scanner would press that button.
 */
export const ScanField = ({
  field,
  onCode,
}: {
  field: RefObject<HTMLInputElement | null>;
  onCode: (code: string) => void;
}) => {
  const [isCameraOn, setCameraOn] = useState(false);
  useEffect(() => {
    field.current?.focus();
    const redirect = (event: KeyboardEvent) => {
      if (event.ctrlKey || event.metaKey || event.altKey || event.key === ' ') return;
      if (event.key.length === 1 && !isEditable(event.target)) field.current?.focus();
    };
    document.addEventListener('keydown', redirect, true);
    return () => document.removeEventListener('keydown', redirect, true);
  }, []);
  const take = (event: Event) => {
    event.preventDefault();
    const element = field.current;
    if (element === null) return;
    const code = element.value;
    element.value = '';
    element.focus();
    onCode(code);
  };
  return (
    <div class="section station-scan">
      <form onSubmit={take}>
        <label for="station-scan">{t().scan}</label>
        <div class="row">
          <input
            id="station-scan"
            ref={field}
            type="text"
            maxLength={250}
            autoComplete="off"
            autoCapitalize="off"
            spellcheck={false}
            enterKeyHint="go"
            aria-describedby="station-scan-hint"
          />
          <button type="submit">{t().enter}</button>
          {hasCamera() && (
            <button type="button" aria-pressed={isCameraOn} onClick={() => setCameraOn(!isCameraOn)}>
              {isCameraOn ? t().cameraOff : t().camera}
            </button>
          )}
        </div>
        <p class="field-hint" id="station-scan-hint">
          {waiting.value > 0 ? t().searching : t().scanHint}
        </p>
      </form>
      {isCameraOn && <Camera onCode={onCode} />}
    </div>
  );
};
