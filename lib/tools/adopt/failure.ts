/** Why a description cannot be read. */
type Code =
  | 'file_unreadable'
  | 'not_text'
  | 'too_large'
  | 'not_parseable'
  | 'too_many_tokens'
  | 'too_many_aliases'
  | 'too_deep'
  | 'too_many_values'
  | 'too_slow'
  | 'version_unknown'
  | 'wrong_shape'
  | 'reference_not_local'
  | 'reference_not_found'
  | 'reference_loop'
  | 'schema_unknown'
  | 'too_many_schemas';

/**
 * A description that cannot be read. `path` is a JSON Pointer in the input, or a line of it. `accepted` says what is
 * accepted there. Neither has a value of the input.
 */
export type DescriptionFailure = { readonly code: Code; readonly path: string; readonly accepted: string };

/** Returns a failure as text for a terminal. */
export const failureText = (file: string, { code, path, accepted }: DescriptionFailure): string =>
  `${file}${path === '' ? '' : ` at ${path}`}: ${code}. Accepted: ${accepted}.`;

/** Ends the work on a description, which is recursive. `adopt` returns the failure as a value. */
export class UnreadableDescription extends Error {
  readonly failure: DescriptionFailure;

  constructor(code: Code, path: string, accepted: string) {
    super(code);
    this.failure = { code, path, accepted };
  }
}
