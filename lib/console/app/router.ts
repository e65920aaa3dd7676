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

window.addEventListener('popstate', () => {
  address.value = read();
});

/** Returns the address of a screen, for links. */
export const hrefOf = (to: string): string => `${consolePath}${to === '/' ? '' : to}`;

/**
 * Opens a screen.
 *
 * @param to the path below `/console`, with its query
 * @param options `replace` leaves no entry in the history of the browser
 */
export const navigate = (to: string, { replace = false } = {}): void => {
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
