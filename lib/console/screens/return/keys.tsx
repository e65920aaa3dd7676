import { useSingleKeys } from '../../app/single-keys.ts';
import { KeyHelp as Help } from '../../components/key-help.tsx';
import { useOpenAction } from './action-bar.tsx';
import { useScreen } from './context.ts';
import { t } from './texts.ts';

const actionKeys: Readonly<Record<string, string>> = { a: 'approve', r: 'receive', i: 'inspect', f: 'refund' };

const focusNote = (): (() => void) | undefined => {
  const note = document.querySelector<HTMLElement>('#quick-note');
  return note === null ? undefined : () => note.focus();
};

/** Opens commands by single keys. A command that the return does not list has no key. */
export const useKeys = (onHelp: () => void): void => {
  const { value } = useScreen();
  const openAction = useOpenAction();
  useSingleKeys((key) => {
    if (key === '?') return onHelp;
    if (key === 'n') return focusNote();
    const action = value.allowedActions?.find((each) => each.action === actionKeys[key]);
    return action === undefined ? undefined : () => openAction(action);
  });
};

export const KeyHelp = ({ onClose }: { onClose: () => void }) => (
  <Help keys={Object.entries(t().keyHelp)} onClose={onClose} />
);
