const part = '[\\x21-\\x2e\\x30-\\x7e]{1,200}';

/** Whom a client acts for; an integration puts the client that it forwards for in front, with a slash. */
export const onBehalfOfPattern = `^(${part}/)?${part}$`;

export const idempotencyKeyPattern = '^[\\x21-\\x7e]{1,255}$';
