import { signal } from '@preact/signals';

const shown = signal<readonly { readonly id: number; readonly text: string }[]>([]);
let last = 0;
const shownMs = 5000;

/** Shows a short message about a finished action. */
export const toast = (text: string): void => {
  last += 1;
  const id = last;
  shown.value = [...shown.value, { id, text }];
  setTimeout(() => {
    shown.value = shown.value.filter((toast) => toast.id !== id);
  }, shownMs);
};

/** The messages, which screen readers announce. */
export const Toasts = () => (
  <div class="toasts" role="status" aria-live="polite">
    {shown.value.map(({ id, text }) => (
      <p key={id}>{text}</p>
    ))}
  </div>
);
