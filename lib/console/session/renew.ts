import { signal } from '@preact/signals';
import { openPopup, popupResponse, popupStatePrefix } from './popup.ts';
import { session } from './session.ts';
import { beginSignIn, finishSignIn } from './sign-in.ts';

/* The renewal of a sign-in whose token has expired. Requests wait for it, and are sent again with the new token. */

type RenewalFailure = 'blocked' | 'unfinished' | 'otherPerson' | 'failed';

/** Whether the page asks the person to sign in again, and why the last attempt failed. */
export const renewal = signal<{ readonly failure?: RenewalFailure } | undefined>(undefined);

/** The last attempt. Another one, or the end of the renewal, ends its wait. */
let attempt = new AbortController();

let waiting: PromiseWithResolvers<boolean> | undefined;

/** Asks the person to sign in again. Resolves with whether the token is new. */
export const requestRenewal = async (): Promise<boolean> => {
  renewal.value ??= {};
  waiting ??= Promise.withResolvers<boolean>();
  return waiting.promise;
};

const end = (isRenewed: boolean): void => {
  attempt.abort();
  renewal.value = undefined;
  waiting?.resolve(isRenewed);
  waiting = undefined;
};

/** Gives the renewal up. The waiting requests then fail, and their forms stay. */
export const abandonRenewal = (): void => end(false);

const failWith = (failure: RenewalFailure): void => {
  renewal.value = { failure };
};

/**
 * Opens the window of the sign-in. Call it from the handler of a click. The sign-in of another person is rejected: the
 * forms of the page and its waiting requests belong to the first one.
 */
export const renew = async (): Promise<void> => {
  attempt.abort();
  const own = new AbortController();
  attempt = own;
  const popup = openPopup();
  if (popup === null) {
    failWith('blocked');
    return;
  }
  try {
    const { url, pending } = await beginSignIn(popupStatePrefix);
    popup.location.href = url;
    const wait = { signal: own.signal, onClosed: () => failWith('unfinished') };
    const search = await popupResponse(popup, pending.state, wait);
    if (search === undefined) return;
    if (await finishSignIn(search, pending)) end(true);
    else failWith('otherPerson');
  } catch (error) {
    console.error(error);
    popup.close();
    if (!own.signal.aborted) failWith('failed');
  }
};

/** Time before the end of a token at which the page offers a new sign-in. */
const renewBeforeMs = 120_000;

/** Whether the token of the person ends soon. */
export const endsSoon = (now: number): boolean => (session.value?.expiresAt ?? Infinity) - now < renewBeforeMs;
