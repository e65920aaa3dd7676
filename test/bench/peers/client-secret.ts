/** What the secret of the client holds. */
export type ClientSecret = { readonly clientId: string; readonly clientSecret: string };

/** As long as our functions keep it. */
export const secretSeconds = 15 * 60;
