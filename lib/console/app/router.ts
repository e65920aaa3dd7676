import { computed, signal } from '@preact/signals';
import { consolePath } from './config.ts';

/*
 * The address of the console. Filters and selections are part of it, so that a colleague can open the same screen.
 */

const read = () => ({
  path: window.location.pathname.slice(consolePath.length).replace(/\/+$/, '') || '/',
  query: window.location.search,
});

const address = signal(read());

/** The path below `/console`, such as `/returns/ret_01`. */
export const path = computed(() => address.value.path);

/** The parameters of the query. */
export const query = computed(() => new URLSearchParams(address.value.query));

type Guard = (to: string) => boolean;

let guard: Guard | undefined;

/**
 * Asks before the person leaves the screen of the address. Changes of the query alone are free.
 *
 * @param mayLeave false keeps the screen
 * @returns ends the guard
 */
export const guardScreen = (mayLeave: Guard): (() => void) => {
  guard = mayLeave;
  return () => {
    if (guard === mayLeave) guard = undefined;
  };
};

const isAllowed = (to: string): boolean =>
  guard === undefined || to.split('?', 1)[0] === address.peek().path || guard(to);

window.addEventListener('popstate', () => {
  const next = read();
  const to = `${next.path}${next.query}`;
  if (isAllowed(to)) address.value = next;
  else {
    // The browser has the other address already.
    const { path: stay, query: search } = address.peek();
    window.history.pushState(null, '', `${hrefOf(stay)}${search}`);
  }
});

/** Returns the address of a screen, for links. */
export const hrefOf = (to: string): string => `${consolePath}${to.replace(/^\/(?=\?|$)/, '')}`;

/** Returns the address of the screen of an order. */
export const orderHref = ({ platform, orderId }: { readonly platform: string; readonly orderId: string }): string =>
  hrefOf(`/order?${new URLSearchParams({ platform, orderId }).toString()}`);

/**
 * Opens a screen.
 *
 * @param to the path below `/console`, with its query
 * @param options `replace` leaves no entry in the history of the browser
 */
export const navigate = (to: string, { replace = false } = {}): void => {
  if (!isAllowed(to)) return;
  window.history[replace ? 'replaceState' : 'pushState'](null, '', hrefOf(to));
  address.value = read();
  if (!replace) window.scrollTo(0, 0);
};

/** Changes parameters of the query. An empty value removes one. */
export const setQuery = (changes: Readonly<Record<string, string | undefined>>): void => {
  const next = new URLSearchParams(address.peek().query);
  for (const [name, value] of Object.entries(changes)) {
    if (value === undefined || value === '') next.delete(name);
    else next.set(name, value);
  }
  const text = next.toString();
  navigate(`${address.peek().path}${text === '' ? '' : `?${text}`}`, { replace: true });
};

/** Opens links of the console without loading the page again. The browser handles all others, and new tabs. */
document.addEventListener('click', (event) => {
  if (event.defaultPrevented || event.button !== 0 || event.metaKey || event.ctrlKey || event.shiftKey) return;
  const link = event.target instanceof Element ? event.target.closest('a') : null;
  if (link === null || link.target !== '' || link.hasAttribute('download')) return;
  if (link.origin !== window.location.origin) return;
  if (link.pathname !== consolePath && !link.pathname.startsWith(`${consolePath}/`)) return;
  event.preventDefault();
  navigate(`${link.pathname.slice(consolePath.length) || '/'}${link.search}`);
});
