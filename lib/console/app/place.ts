import { session } from '../session/session.ts';

/*
 * The place of a person on a screen: how far they scrolled, the link with the focus, and the rows of lists. Each entry of
 * the history keeps its own, so that Back and a reload find it again.
 */

/** What an entry of the history keeps beside its address, such as a search for a person. */
export type Kept = {
  readonly y?: number;
  /** The address of the link that had the focus. */
  readonly focus?: string | undefined;
  /** The number of rows of each list. */
  readonly rows?: Readonly<Record<string, number>>;
  /** The path and query of the entry before. */
  readonly from?: string;
  readonly [name: string]: unknown;
};

/** Returns what the current entry keeps. Another person gets nothing of it. */
export const placeNow = (): Kept => {
  const { by, ...kept } = (window.history.state ?? {}) as Kept;
  return by === undefined || by !== session.peek()?.subject ? {} : kept;
};

/** Returns the state of an entry that belongs to the person. */
export const stateOf = (kept: Kept): Kept => ({ ...kept, by: session.peek()?.subject });

/** Keeps more in the current entry. */
export const keep = (more: Kept): void => window.history.replaceState(stateOf({ ...placeNow(), ...more }), '');

const focusedLink = (): string | undefined =>
  document.activeElement?.closest('main a')?.getAttribute('href') ?? undefined;

/** Keeps the scroll position and the focus in the current entry. */
export const keepPlace = (): void => {
  if (session.peek() !== undefined) keep({ y: window.scrollY, focus: focusedLink() });
};

let endRestore = (): void => undefined;

/** Scrolls and focuses as an entry keeps it, as soon as the screen is high enough. What a person does ends the wait. */
export const restorePlace = ({ y = 0, focus }: Kept): void => {
  endRestore();
  const observer = new ResizeObserver(() => {
    if (document.documentElement.scrollHeight - window.innerHeight < Math.floor(y)) return;
    window.scrollTo(0, y);
    const link = focus && document.querySelector<HTMLElement>(`main a[href="${CSS.escape(focus)}"]`);
    if (link === null) return;
    if (link) link.focus({ preventScroll: true });
    endRestore();
  });
  const wait = new AbortController();
  endRestore = () => {
    observer.disconnect();
    wait.abort();
  };
  for (const type of ['keydown', 'pointerdown', 'wheel', 'touchmove'])
    window.addEventListener(type, endRestore, { signal: wait.signal });
  observer.observe(document.body);
};

window.history.scrollRestoration = 'manual';
document.addEventListener('scrollend', keepPlace);
window.addEventListener('pagehide', keepPlace);
