import { signal } from '@preact/signals';

/** What the station says after a scan. It stays until the next scan. */
export type Message = {
  /** A new id makes screen readers announce the same text again. */
  readonly id: number;
  readonly tone: 'good' | 'warning' | 'bad';
  readonly text: string;
  readonly offers: readonly Offer[];
};

/** A button of a message. */
export type Offer =
  | { readonly kind: 'again' | 'unexpected'; readonly code: string }
  | { readonly kind: 'open'; readonly returnId: string; readonly rmaNumber: string };

export const message = signal<Message | undefined>(undefined);

let last = 0;

/** Shows a message, and announces it. */
export const say = (tone: Message['tone'], text: string, offers: readonly Offer[] = []): void => {
  last += 1;
  message.value = { id: last, tone, text, offers };
};

/** Removes the message. */
export const sayNothing = (): void => {
  message.value = undefined;
};
