import { useEffect, useRef } from 'preact/hooks';
import { Dialog } from '../../components/dialog.tsx';
import { useOpenAction } from './action-bar.tsx';
import { useScreen } from './context.ts';
import { t } from './texts.ts';

const actionKeys: Readonly<Record<string, string>> = { a: 'approve', r: 'receive', i: 'inspect', f: 'refund' };

/** Whether the key belongs to an input, a dialog or the browser. */
const isTaken = (event: KeyboardEvent): boolean =>
  event.defaultPrevented ||
  event.ctrlKey ||
  event.metaKey ||
  event.altKey ||
  document.querySelector('dialog[open]') !== null ||
  (event.target instanceof Element && event.target.closest('input, select, textarea, [contenteditable]') !== null);

/** Opens commands by single keys. They do nothing while a person types or a dialog is open (WCAG 2.1.4). */
export const useKeys = (onHelp: () => void): void => {
  const { value } = useScreen();
  const openAction = useOpenAction();
  const handle = useRef<(event: KeyboardEvent) => void>(() => undefined);
  handle.current = (event) => {
    if (isTaken(event)) return;
    const name = actionKeys[event.key];
    const action = value.allowedActions?.find((each) => each.action === name);
    const note = event.key === 'n' ? document.querySelector<HTMLElement>('#quick-note') : null;
    if (action === undefined && note === null && event.key !== '?') return;
    event.preventDefault();
    if (action !== undefined) openAction(action);
    else if (note !== null) note.focus();
    else onHelp();
  };
  useEffect(() => {
    const listen = (event: KeyboardEvent) => handle.current(event);
    document.addEventListener('keydown', listen);
    return () => document.removeEventListener('keydown', listen);
  }, []);
};

export const KeyHelp = ({ onClose }: { onClose: () => void }) => (
  <Dialog title={t().keys} onClose={onClose}>
    <dl class="facts">
      {Object.entries(t().keyHelp).map(([key, text]) => (
        <div key={key}>
          <dt>
            <kbd>{key === 'help' ? '?' : key}</kbd>
          </dt>
          <dd>{text}</dd>
        </div>
      ))}
    </dl>
  </Dialog>
);
