/** Who does something: the token's client, and whom it acts for when it says so. */
export type Actor = { readonly clientId: string; readonly onBehalfOf?: string };
