import { consolePath } from '../app/config.ts';

/* A renewed sign-in runs in a window of its own, so that the page keeps its forms. */

const windowName = 'returns-sign-in';

/** The channel from the window of a sign-in to the console. Only pages of this origin can use it. */
const channelName = 'returns-sign-in';

/**
 * The state of a sign-in in a window begins with it. The name of the window does not last: issuers with a
 * Cross-Origin-Opener-Policy separate the window from the console.
 */
export const popupStatePrefix = 'window-';

const stateIn = (search: string): string => new URLSearchParams(search).get('state') ?? '';

/** In the window of a renewed sign-in: sends the issuer's response to the console, and closes the window. */
export const finishPopup = (): boolean => {
  const { pathname, search } = window.location;
  if (pathname !== `${consolePath}/signed-in` || !stateIn(search).startsWith(popupStatePrefix)) return false;
  const channel = new BroadcastChannel(channelName);
  // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a channel belongs to its origin
  channel.postMessage(search);
  channel.close();
  window.close();
  return true;
};

/** Opens the window. It must follow a click of the person at once, or browsers block it. */
export const openPopup = (): Window | null => window.open('', windowName, 'popup,width=480,height=640');

/** Time between two looks at the window. */
const watchMs = 500;

type Wait = {
  /** Ends the wait. */
  readonly signal: AbortSignal;
  /** Called once when the window seems closed. The wait goes on, because a separated window seems closed too. */
  readonly onClosed: () => void;
};

/**
 * Resolves with the response to the sign-in with this state, or with undefined when the signal ends the wait. Other
 * tabs of the console use the same channel, so their responses are left out.
 */
export const popupResponse = async (
  popup: Window,
  state: string,
  { signal, onClosed }: Wait,
): Promise<string | undefined> => {
  const channel = new BroadcastChannel(channelName);
  const { promise, resolve } = Promise.withResolvers<string | undefined>();
  channel.addEventListener('message', ({ data }) => {
    if (typeof data === 'string' && stateIn(data) === state) resolve(data);
  });
  signal.addEventListener('abort', () => resolve(undefined));
  // A closed window sends no event. Its response may still be on its way.
  let closedLooks = 0;
  const watch = setInterval(() => {
    if (popup.closed) closedLooks += 1;
    if (closedLooks === 3) onClosed();
  }, watchMs);
  try {
    return await promise;
  } finally {
    clearInterval(watch);
    channel.close();
  }
};
