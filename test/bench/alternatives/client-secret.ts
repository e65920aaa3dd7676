/** The content of the client's secret. */
export type ClientSecret = { readonly clientId: string; readonly clientSecret: string };

/** The same lifetime as in our functions. */
export const secretSeconds = 15 * 60;
