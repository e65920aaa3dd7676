import { signal } from '@preact/signals';
import { consolePath } from '../app/config.ts';
import { placeNow, restorePlace } from '../app/place.ts';
import { navigate } from '../app/router.ts';
import { beginSignIn, finishSignIn, type PendingSignIn } from './sign-in.ts';

/* The first sign-in: the page leaves for the issuer, and comes back with a code. */

const storageKey = 'returns-sign-in';

type Stored = PendingSignIn & {
  readonly to: string;
  /** What the entry of the history keeps. */
  readonly place?: unknown;
};

/** What the page shows before a person is signed in. */
export const signInState = signal<'working' | 'signed-out' | 'failed'>('working');

/** Leaves for the page of the issuer, in the same entry of the history: Back leads to the screen before. */
export const leaveForSignIn = async (to: string, place?: unknown): Promise<void> => {
  signInState.value = 'working';
  try {
    const { url, pending } = await beginSignIn();
    sessionStorage.setItem(storageKey, JSON.stringify({ ...pending, to, place } satisfies Stored));
    window.location.replace(url);
  } catch (error) {
    console.error(error);
    signInState.value = 'failed';
  }
};

const takeStored = (): Stored | undefined => {
  const stored = sessionStorage.getItem(storageKey);
  sessionStorage.removeItem(storageKey);
  return stored === null ? undefined : (JSON.parse(stored) as Stored);
};

/** Signs the person in: with the code in the address, or by leaving for the issuer. */
export const signIn = async (): Promise<void> => {
  const { pathname, search } = window.location;
  const stored = takeStored();
  if (pathname !== `${consolePath}/signed-in`) {
    await leaveForSignIn(`${pathname.slice(consolePath.length) || '/'}${search}`, window.history.state);
    return;
  }
  // A reload of the returned page has a used code: the sign-in begins again.
  if (stored === undefined) {
    await leaveForSignIn('/');
    return;
  }
  try {
    await finishSignIn(search, stored);
    window.history.replaceState(stored.place, '');
    navigate(stored.to, { replace: true });
    restorePlace(placeNow());
  } catch (error) {
    console.error(error);
    signInState.value = 'failed';
  }
};
