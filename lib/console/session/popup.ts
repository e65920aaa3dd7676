import { consolePath } from '../app/config.ts';

/* A renewed sign-in runs in a window of its own, so that the page keeps its forms. */

const windowName = 'returns-sign-in';

/** The channel from the window of a sign-in to the console. Only pages of this origin can use it. */
const channelName = 'returns-sign-in';

/** In the window of a renewed sign-in: sends the issuer's response to the console, and closes the window. */
export const finishPopup = (): boolean => {
  if (window.name !== windowName || window.location.pathname !== `${consolePath}/signed-in`) return false;
  const channel = new BroadcastChannel(channelName);
  // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a channel belongs to its origin
  channel.postMessage(window.location.search);
  channel.close();
  window.close();
  return true;
};

/** Opens the window. It must follow a click of the person at once, or browsers block it. */
export const openPopup = (): Window | null => window.open('', windowName, 'popup,width=480,height=640');

/** Resolves with the response of the issuer, or with undefined when the person closes the window. */
export const popupResponse = async (popup: Window): Promise<string | undefined> => {
  const channel = new BroadcastChannel(channelName);
  const { promise, resolve } = Promise.withResolvers<string | undefined>();
  channel.addEventListener('message', ({ data }) => resolve(String(data)));
  // A closed window sends no event.
  const watch = setInterval(() => {
    if (popup.closed) setTimeout(() => resolve(undefined), 500);
  }, 500);
  try {
    return await promise;
  } finally {
    clearInterval(watch);
    channel.close();
  }
};
