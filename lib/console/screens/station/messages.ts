import { signal } from '@preact/signals';
import { playTone } from './tones.ts';

/** What the station says after a scan. It stays until the next scan. */
export type Message = {
  /** A new id makes screen readers announce the same text again. */
  readonly id: number;
  readonly tone: 'good' | 'warning' | 'bad';
  readonly text: string;
  readonly offers: readonly Offer[];
};

/** A return that a button of a message opens. */
export type Offer = { readonly returnId: string; readonly rmaNumber: string };

export const message = signal<Message | undefined>(undefined);

let last = 0;

/** Shows a message, announces it, and lets the person hear it. */
export const say = (tone: Message['tone'], text: string, offers: readonly Offer[] = []): void => {
  last += 1;
  message.value = { id: last, tone, text, offers };
  playTone(tone === 'good' ? 'good' : 'bad');
};

/** Removes the message. */
export const sayNothing = (): void => {
  message.value = undefined;
};
