import { isDeepStrictEqual } from 'node:util';
import type { HandlerAnswer } from './container.ts';

export type Answered = { readonly candidate: string; readonly answer: HandlerAnswer };

/**
 * Throws unless all candidates answer alike.
 * Otherwise a candidate might be fast because it fails or does something else.
 * @param visible returns the part of a body that must be equal; random ids and times differ
 */
export const demandSameAnswer = (
  status: number,
  answers: readonly Answered[],
  visible: (body: unknown) => unknown,
): void => {
  const parts = answers.map(({ candidate, answer: { statusCode, body } }) => {
    if (statusCode !== status) throw new Error(`${candidate} answered ${statusCode}, not ${status}: ${body}`);
    return { candidate, body, part: visible(JSON.parse(body)) };
  });
  const [first, ...others] = parts;
  const other = others.find(({ part }) => !isDeepStrictEqual(part, first?.part));
  if (other !== undefined) {
    throw new Error(`${other.candidate} answered ${other.body}\nwhere ${first?.candidate} answered ${first?.body}`);
  }
};
