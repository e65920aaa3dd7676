const part = '[\\x21-\\x2e\\x30-\\x7e]{1,200}';

/** Whom a client acts for; an integration puts the client that it forwards for in front, with a slash. */
export const onBehalfOfPattern = `^(${part}/)?${part}$`;

export const onBehalfOfExpected = '1 to 200 printable ASCII characters without spaces or slashes, such as agent-7';

export const idempotencyKeyPattern = '^[\\x21-\\x7e]{1,255}$';

export const idempotencyKeyExpected =
  '1 to 255 printable ASCII characters without spaces, such as 7f1c0f2e-4d4b-4a57-9a0e-0c6c5d2f7b11';
