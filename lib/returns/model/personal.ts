/** Personal text, kept apart: here only its place and its salted digest, so that it can be erased. */
export type Sealed = { readonly ref: string; readonly digest: string };
