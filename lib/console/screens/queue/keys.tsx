import { useEffect, useState } from 'preact/hooks';
import { areKeysOn, isTyping, turnKeys } from '../../app/single-keys.ts';
import { Dialog } from '../../components/dialog.tsx';
import { t } from './texts.ts';

const links = (): readonly HTMLAnchorElement[] => [...document.querySelectorAll<HTMLAnchorElement>('.queue-link')];

const currentIndex = (all: readonly HTMLAnchorElement[]): number => {
  const row = document.activeElement?.closest('tr');
  return all.findIndex((link) => row !== undefined && row !== null && row.contains(link));
};

/** Moves the focus between the rows. The browser then opens the focused link with Enter. */
const move = (step: number): void => {
  const all = links();
  const index = currentIndex(all);
  const next = all[index === -1 ? 0 : Math.max(0, Math.min(all.length - 1, index + step))];
  next?.focus();
  next?.scrollIntoView({ block: 'nearest' });
};

const select = (): void => {
  const row = document.activeElement?.closest('tr');
  row?.querySelector<HTMLInputElement>('input[type="checkbox"]')?.click();
};

const Help = ({ onClose }: { onClose: () => void }) => {
  const text = t().keys;
  const rows = [
    ['j', text.next],
    ['k', text.previous],
    ['Enter', text.open],
    ['x', text.select],
    ['/', text.search],
    ['?', text.help],
  ] as const;
  return (
    <Dialog title={text.title} onClose={onClose}>
      <dl class="facts">
        {rows.map(([key, meaning]) => (
          <div key={key}>
            <dt>
              <kbd>{key}</kbd>
            </dt>
            <dd>{meaning}</dd>
          </div>
        ))}
      </dl>
      <label class="row queue-keys-switch">
        <input type="checkbox" checked={areKeysOn.value} onChange={(event) => turnKeys(event.currentTarget.checked)} />
        {text.on}
      </label>
      <p class="field-hint">{text.onHint}</p>
    </Dialog>
  );
};

/** The keys of the queue, and the button that lists them. */
export const Keys = ({ onSearch }: { onSearch: () => void }) => {
  const [isHelpOpen, setHelpOpen] = useState(false);
  useEffect(() => {
    const press = (event: KeyboardEvent) => {
      if (!areKeysOn.peek() || event.defaultPrevented || event.ctrlKey || event.metaKey || event.altKey) return;
      if (isTyping(event.target)) return;
      const actions: Readonly<Record<string, () => void>> = {
        j: () => move(1),
        k: () => move(-1),
        x: select,
        '/': onSearch,
        '?': () => setHelpOpen(true),
      };
      const action = actions[event.key];
      if (action === undefined) return;
      event.preventDefault();
      action();
    };
    document.addEventListener('keydown', press);
    return () => document.removeEventListener('keydown', press);
  }, []);
  return (
    <>
      <button type="button" onClick={() => setHelpOpen(true)}>
        <kbd>?</kbd> {t().keys.button}
      </button>
      {isHelpOpen && <Help onClose={() => setHelpOpen(false)} />}
    </>
  );
};
