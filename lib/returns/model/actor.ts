/** Personal text, kept apart: here only its place and its salted digest, so that it can be erased. */
export type TextReference = { readonly ref: string; readonly digest: string };

/** Who does something: the token's client, and whom it acts for when it says so. */
export type Actor = { readonly clientId: string; readonly onBehalfOf?: string };

/** The same in the history of a return: whom the client acts for is sealed to the key of the return. */
export type EncryptedActor = { readonly clientId: string; readonly sealed?: string };
