/**
 * What a client checks of an answer: the part of its schema that tells this contract from another one. The names of
 * optional members end with a question mark. lib/tools/build/answer-shapes.ts makes it from the schema.
 */
export type AnswerShape =
  | 'string'
  | 'string or null'
  | 'integer'
  | 'number'
  | 'boolean'
  | 'object'
  | 'any'
  /** An id with this prefix. */
  | `${string}_`
  /** Words that do not change within a version of the contract. */
  | ReadonlySet<string>
  /** A list. */
  | readonly [AnswerShape]
  | { readonly [member: string]: AnswerShape };
