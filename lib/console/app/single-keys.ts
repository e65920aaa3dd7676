import { signal } from '@preact/signals';

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

/** Whether a key belongs to the element that has the focus: a person types there, or a dialog is open. */
export const isTyping = (target: EventTarget | null): boolean =>
  target instanceof HTMLElement &&
  target.closest('input:not([type="checkbox"]), select, textarea, dialog, [contenteditable]') !== null;
