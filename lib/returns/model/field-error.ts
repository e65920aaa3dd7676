/** A fault at one place of a command: JSON Pointer, code, and what would be accepted. */
export type Fault = { readonly path: string; readonly code: string; readonly message: string };
