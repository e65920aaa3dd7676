import { useState } from 'preact/hooks';
import { useSingleKeys } from '../../app/single-keys.ts';
import { KeyHelp, KeyHelpButton } from '../../components/key-help.tsx';
import { t } from './texts.ts';

const links = (): readonly HTMLAnchorElement[] => [...document.querySelectorAll<HTMLAnchorElement>('.queue-link')];

const currentIndex = (rowLinks: readonly HTMLAnchorElement[]): number => {
  const row = document.activeElement?.closest('tr');
  return rowLinks.findIndex((link) => row !== undefined && row !== null && row.contains(link));
};

/** Moves the focus between the rows. The browser then opens the focused link with Enter. */
const move = (step: number): void => {
  const rowLinks = links();
  const index = currentIndex(rowLinks);
  const next = rowLinks[index === -1 ? 0 : Math.max(0, Math.min(rowLinks.length - 1, index + step))];
  next?.focus();
  next?.scrollIntoView({ block: 'nearest' });
};

const select = (shiftKey: boolean): void => {
  const box = document.activeElement?.closest('tr')?.querySelector('input[type="checkbox"]');
  box?.dispatchEvent(new MouseEvent('click', { bubbles: true, cancelable: true, shiftKey }));
};

/** The keys of the queue, and the button that lists them. */
export const Keys = ({ onSearch }: { onSearch: () => void }) => {
  const [isHelpOpen, setHelpOpen] = useState(false);
  const actions: Readonly<Record<string, () => void>> = {
    j: () => move(1),
    k: () => move(-1),
    x: () => select(false),
    X: () => select(true),
    '/': onSearch,
    '?': () => setHelpOpen(true),
  };
  useSingleKeys((key) => actions[key]);
  const { next, previous, open, select: selectText, range, search } = t().keys;
  const keys = [
    ['j', next],
    ['k', previous],
    ['Enter', open],
    ['x', selectText],
    ['Shift+x', range],
    ['/', search],
  ] as const;
  return (
    <>
      <KeyHelpButton onClick={() => setHelpOpen(true)} />
      {isHelpOpen && <KeyHelp keys={keys} onClose={() => setHelpOpen(false)} />}
    </>
  );
};
