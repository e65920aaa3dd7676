/**
 * A personal-text reference: the place of the text and its salted digest.
 * The text is stored apart, so that it can be erased.
 */
export type TextReference = { readonly ref: string; readonly digest: string };

/** The actor: the client of the token, and the person that it acts for, if given. */
export type Actor = { readonly clientId: string; readonly onBehalfOf?: string };

/** An actor in the history of a return. The person is encrypted with the key of the return. */
export type EncryptedActor = { readonly clientId: string; readonly sealed?: string };
