import { isObject, parseObject } from '../../runtime/json.ts';
import type { Arrival, Verdict } from '../platform.ts';

type Handshake = Extract<Verdict, { kind: 'handshake' }>;

/** Adobe's are UUIDs. What is not of these letters is not given back: the answer goes to whoever asked. */
const challengeForm = /^[A-Za-z0-9-]{1,64}$/;

/**
 * The answer to a GET with a challenge, by which Adobe finds out whether somebody is here; nothing for any other.
 * https://developer.adobe.com/events/docs/guides/#synchronous-validation
 */
export const answerChallenge = ({ method, query }: Pick<Arrival, 'method' | 'query'>): Handshake | undefined => {
  const { challenge } = query;
  if (method !== 'GET' || challenge === undefined || !challengeForm.test(challenge)) return undefined;
  return { kind: 'handshake', answer: { contentType: 'text/plain; charset=utf-8', body: challenge } };
};

const mostBytes = 4_096;

/**
 * Whether a body is what Adobe sends after a challenge was not answered: an address that somebody is to open. It is not
 * signed, so it is acknowledged and never opened: anybody could have us open any address.
 * https://developer.adobe.com/events/docs/guides/#asynchronous-validation
 */
export const isAsyncValidation = (body: Buffer): boolean => {
  const value = body.length <= mostBytes ? parseObject(body.toString()) : undefined;
  return isObject(value) && Object.keys(value).length === 1 && typeof value['validationUrl'] === 'string';
};
