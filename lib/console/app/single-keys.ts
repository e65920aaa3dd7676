import { signal } from '@preact/signals';
import { useEffect, useRef } from 'preact/hooks';

/* Keys such as j and x, which work without a modifier. People with speech input can turn them off (WCAG 2.1.4). */

const storageKey = 'returns-single-keys';

/** Whether single keys work in this browser. */
export const areKeysOn = signal(localStorage.getItem(storageKey) !== 'off');

/** Turns the single keys on or off for this browser. */
export const turnKeys = (on: boolean): void => {
  areKeysOn.value = on;
  if (on) localStorage.removeItem(storageKey);
  else localStorage.setItem(storageKey, 'off');
};

/** Whether a key belongs to the browser, to a field in which a person types, or to a dialog. */
const isTaken = (event: KeyboardEvent): boolean =>
  event.defaultPrevented ||
  event.ctrlKey ||
  event.metaKey ||
  event.altKey ||
  document.querySelector('dialog[open]') !== null ||
  (event.target instanceof Element &&
    event.target.closest('input:not([type="checkbox"]), select, textarea, [contenteditable]') !== null);

/**
 * Runs actions by single keys while a screen is shown.
 *
 * @param actionOf returns the action of a key, or undefined if the key has none now
 */
export const useSingleKeys = (actionOf: (key: string) => (() => void) | undefined): void => {
  const latest = useRef(actionOf);
  latest.current = actionOf;
  useEffect(() => {
    const press = (event: KeyboardEvent) => {
      if (!areKeysOn.peek() || isTaken(event)) return;
      const action = latest.current(event.key);
      if (action === undefined) return;
      event.preventDefault();
      action();
    };
    document.addEventListener('keydown', press);
    return () => document.removeEventListener('keydown', press);
  }, []);
};
