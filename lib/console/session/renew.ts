import { signal } from '@preact/signals';
import { openPopup, popupResponse } from './popup.ts';
import { session } from './session.ts';
import { beginSignIn, finishSignIn } from './sign-in.ts';

/* The renewal of a sign-in whose token has expired. Requests wait for it, and are sent again with the new token. */

/** Whether the page asks the person to sign in again, and why the last attempt failed. */
export const renewal = signal<{ readonly failure?: 'blocked' | 'closed' | 'failed' } | undefined>(undefined);

let waiting: PromiseWithResolvers<boolean> | undefined;

/** Asks the person to sign in again. Resolves with whether the token is new. */
export const requestRenewal = async (): Promise<boolean> => {
  renewal.value ??= {};
  waiting ??= Promise.withResolvers<boolean>();
  return waiting.promise;
};

const end = (isRenewed: boolean): void => {
  renewal.value = undefined;
  waiting?.resolve(isRenewed);
  waiting = undefined;
};

/** Gives the renewal up. The waiting requests then fail, and their forms stay. */
export const abandonRenewal = (): void => end(false);

/** Opens the window of the sign-in. Call it from the handler of a click. */
export const renew = async (): Promise<void> => {
  const popup = openPopup();
  if (popup === null) {
    renewal.value = { failure: 'blocked' };
    return;
  }
  try {
    const { url, pending } = await beginSignIn();
    popup.location.href = url;
    const search = await popupResponse(popup);
    if (search === undefined) renewal.value = { failure: 'closed' };
    else {
      await finishSignIn(search, pending);
      end(true);
    }
  } catch (error) {
    console.error(error);
    popup.close();
    renewal.value = { failure: 'failed' };
  }
};

/** Time before the end of a token at which the page offers a new sign-in. */
const renewBeforeMs = 120_000;

/** Whether the token of the person ends soon. */
export const endsSoon = (now: number): boolean => (session.value?.expiresAt ?? Infinity) - now < renewBeforeMs;
