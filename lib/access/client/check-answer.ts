import type { AnswerShape } from '../../contract/answer-shape.ts';
import { isObject, parseJson } from '../../runtime/json.ts';
import { fail, ok } from '../../runtime/result.ts';
import { misfit } from './failures.ts';
import { findDifference } from './find-difference.ts';
import { type ServiceAnswer, withoutJson } from './incoming.ts';
import type { Result } from './public.ts';

/** A page without items fits every list, so it does not prove the contract. */
const isEmptyPage = (body: unknown): boolean =>
  isObject(body) && Array.isArray(body['items']) && body['items'].length === 0;

/**
 * Creates the check of the answers to one client. It parses and checks the answers of an operation until one fits. After
 * that, answers of this operation are not parsed: the service speaks the contract.
 */
export const createAnswerCheck = () => {
  const fitting = new Set<string>();
  return (name: string, shape: AnswerShape, answer: ServiceAnswer): Result<ServiceAnswer> => {
    if (fitting.has(name)) return ok(answer);
    const body = parseJson(answer.text);
    if (body === undefined) return withoutJson;
    const difference = findDifference(body, shape);
    if (difference !== undefined) {
      const place = `${difference.path || 'the body'} must be ${difference.expected}`;
      return fail(misfit(place, `an answer that does not fit the contract: ${place}`));
    }
    if (!isEmptyPage(body)) fitting.add(name);
    return ok(answer);
  };
};
