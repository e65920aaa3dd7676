import { computed, signal } from '@preact/signals';
import { consolePath } from './config.ts';
import { keepPlace, type Kept, placeNow, restorePlace, stateOf } from './place.ts';

/*
 * The address of the console. Filters and selections are part of it, so that a colleague can open the same screen.
 * Each is an entry of the history.
 */

const read = () => ({
  path: window.location.pathname.slice(consolePath.length).replace(/\/+$/, '') || '/',
  query: window.location.search,
  kept: placeNow(),
});

const address = signal(read());

/** The path below `/console`, such as `/returns/ret_01`. */
export const path = computed(() => address.value.path);

/** The parameters of the query. */
export const query = computed(() => new URLSearchParams(address.value.query));

/** What the entry keeps beside its address. Names and e-mail addresses of customers belong here. */
export const kept = computed(() => address.value.kept);

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
  if (isAllowed(to)) {
    address.value = next;
    restorePlace(next.kept);
  } else {
    // The browser has the other address already.
    const { path: stay, query: search, kept: place } = address.peek();
    window.history.pushState(stateOf(place), '', `${hrefOf(stay)}${search}`);
  }
});

/** Returns the address of a screen, for links. */
export const hrefOf = (to: string): string => `${consolePath}${to.replace(/^\/(?=\?|$)/, '')}`;

const ofOrder =
  (screen: string) =>
  ({ platform, orderId }: { readonly platform: string; readonly orderId: string }): string =>
    hrefOf(`/${screen}?${new URLSearchParams({ platform, orderId }).toString()}`);

/** Returns the address of the screen of an order. */
export const orderHref = ofOrder('order');

/** Returns the address of the screen of the customer of an order. It has no name and no e-mail address. */
export const customerHref = ofOrder('order/customer');

/** Lets the next key go on in the screen. */
export const focusContent = (): void => document.getElementById('content')?.focus({ preventScroll: true });

type Entry = {
  /** Leaves no entry of its own in the history of the browser. */
  readonly replace?: boolean;
  /** What the entry keeps beside its address. A replaced entry keeps what it had. */
  readonly keep?: Kept;
};

/**
 * Opens a screen.
 *
 * @param to the path below `/console`, with its query
 */
export const navigate = (to: string, { replace = false, keep }: Entry = {}): void => {
  if (!isAllowed(to)) return;
  const { path: left, query: search } = address.peek();
  if (replace) window.history.replaceState(stateOf(keep ?? placeNow()), '', hrefOf(to));
  else {
    keepPlace();
    window.history.pushState(stateOf({ from: `${left}${search}`, ...keep }), '', hrefOf(to));
  }
  address.value = read();
  if (address.peek().path === left) return;
  window.scrollTo(0, 0);
  if (!replace) focusContent();
};

/** Changes parameters of the query. An empty value removes one. */
export const setQuery = (changes: Readonly<Record<string, string | undefined>>, entry: Entry = {}): void => {
  const next = new URLSearchParams(address.peek().query);
  for (const [name, value] of Object.entries(changes)) {
    if (value === undefined || value === '') next.delete(name);
    else next.set(name, value);
  }
  const text = next.toString();
  navigate(`${address.peek().path}${text === '' ? '' : `?${text}`}`, entry);
};

/** Opens links of the console without loading the page again. The browser handles all others, and new tabs. */
document.addEventListener('click', (event) => {
  if (event.defaultPrevented || event.button !== 0 || event.metaKey || event.ctrlKey || event.shiftKey) return;
  const link = event.target instanceof Element ? event.target.closest('a') : null;
  if (link === null || link.target !== '' || link.hasAttribute('download')) return;
  // A link to a part of the page, such as that past the navigation, moves the focus.
  if (link.origin !== window.location.origin || link.hash !== '') return;
  if (link.pathname !== consolePath && !link.pathname.startsWith(`${consolePath}/`)) return;
  event.preventDefault();
  // Not every browser focuses a link on a click.
  link.focus();
  navigate(`${link.pathname.slice(consolePath.length) || '/'}${link.search}`);
});
