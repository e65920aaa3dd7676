import { optional } from './fields.ts';
import type { SeenLine } from '../sync/seen.ts';
import { clip } from './text.ts';

/** What a platform said of why a line comes back: its own word with how that is shown, and what somebody wrote. */
type Said = {
  readonly system: string;
  readonly word?: string | undefined;
  readonly label?: unknown;
  readonly note?: unknown;
};

/** Why a line comes back, by our code for it; the platform's own word is kept as the source. */
export const reasonBy = (code: string, { system, word, label, note }: Said): SeenLine['reason'] => ({
  code,
  ...optional('note', clip(note, 4000)),
  ...(word !== undefined && { source: { system, code: word, ...optional('label', clip(label, 500)) } }),
});
