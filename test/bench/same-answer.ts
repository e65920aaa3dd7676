import { isDeepStrictEqual } from 'node:util';
import type { HandlerAnswer } from './invoke.ts';

/**
 * Returns a check that throws unless a candidate answers like the first one, and with the status 200 if it has one.
 * Otherwise a candidate might be fast because it fails or does something else.
 *
 * @param visible returns the part of a body that must be equal; random ids and times differ
 */
export const sameAnswers = (visible: (body: unknown) => unknown = (body) => body) => {
  let first: { readonly name: string; readonly part: unknown } | undefined;
  return (name: string, answer: unknown): void => {
    const { statusCode = 200, body = JSON.stringify(answer) } = answer as Partial<HandlerAnswer>;
    if (statusCode !== 200) throw new Error(`${name} answered ${statusCode}: ${body}`);
    const part = body === '' ? '' : visible(JSON.parse(body));
    first ??= { name, part };
    if (isDeepStrictEqual(part, first.part)) return;
    const [own, other] = [JSON.stringify(part), JSON.stringify(first.part)];
    throw new Error(`${name} answered ${own}\nwhere ${first.name} answered ${other}`);
  };
};
