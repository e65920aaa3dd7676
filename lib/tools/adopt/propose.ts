import type { OfferableName } from '../../adapters/adapter.ts';
import type { Route } from './description.ts';
import { wordsOf } from './names.ts';
import {
  commandWords,
  createWords,
  detailWords,
  dispatchWords,
  listWords,
  neutralWords,
  otherWords,
  reasonWords,
} from './vocabulary.ts';

/* Proposes operations of ours by the method and the words of a path. It proposes, and decides nothing. */

export type Confidence = 'high' | 'medium' | 'low';

export type Proposal = {
  readonly name: OfferableName;
  readonly route: Route;
  readonly confidence: Confidence;
  /** Why the confidence is not high, or what the adapter has to do besides. */
  readonly note?: string;
  /** The word by which a call for several commands knows this one. */
  readonly action?: string;
};

/** The place of returns in a path: `/v1/orders/{orderId}/returns/{returnId}/approve`. */
export type ReturnPath = Pick<Route, 'resourceWords'> & {
  /** The path up to the segment that names returns. */
  readonly resource: string;
  /** Whether a parameter follows, which is the id of a return. */
  readonly hasId: boolean;
  /** How many parameters stand before the returns. */
  readonly outer: number;
  /** The segments after the returns and the id. */
  readonly tail: readonly string[];
  /** The words of the literal segments in the tail. */
  readonly words: readonly string[];
  /** How many parameters stand in the tail. */
  readonly inner: number;
};

const isParameter = (segment: string): boolean => /^\{[^{}]*\}$/.test(segment);

/** Splits a word such as `itemreturnjobs`. */
const compound = (word: string): readonly string[] => {
  const [, before = '', , after = ''] = /^(.*?)(returns?)(.*)$/.exec(word) ?? [];
  return before === '' && after === '' ? [word] : [before, 'return', after].filter((part) => part !== '');
};

/** Returns the words of a segment. */
const wordsIn = (segment: string, resourceWords: ReadonlySet<string>): readonly string[] =>
  wordsOf(segment).flatMap((word) => (resourceWords.has(word) ? [word] : compound(word)));

const isVersion = (word: string): boolean => /^v?\d/.test(word);

/** Whether a segment names returns, and nothing else about them. */
const namesReturns = (segment: string, resourceWords: ReadonlySet<string>): boolean => {
  if (isParameter(segment)) return false;
  const words = wordsIn(segment, resourceWords);
  return (
    words.some((word) => resourceWords.has(word)) &&
    words.every((word) => resourceWords.has(word) || neutralWords.has(word) || isVersion(word))
  );
};

/** Splits `{id}:cancel` into two segments. */
const segmentsOf = (path: string): readonly string[] =>
  path
    .split('/')
    .flatMap((segment) => segment.split(/(?<=\})(?=[^{}])/))
    .filter((segment) => segment !== '');

/** Whether a path has a word for returns, also one beside other words, as in `/return-labels` or `/CreateRMA`. */
export const mentionsReturns = ({ path, resourceWords }: Route): boolean =>
  segmentsOf(path)
    .filter((segment) => !isParameter(segment))
    .flatMap((segment) => wordsIn(segment, resourceWords))
    .some((word) => resourceWords.has(word));

/** Finds the returns in a path; undefined for a path that does not name them. */
export const returnPath = ({ path, resourceWords }: Route): ReturnPath | undefined => {
  const segments = segmentsOf(path);
  const isResource = (segment: string): boolean => namesReturns(segment, resourceWords);
  const first = segments.findIndex(isResource);
  if (first < 0) return undefined;
  // `/returns/v1/rma/{id}`: the last name before a parameter is the one of the resource.
  const parameter = segments.findIndex((segment, index) => index > first && isParameter(segment));
  const before = parameter < 0 ? segments : segments.slice(0, parameter);
  const index = before.findLastIndex(isResource);
  const rest = segments.slice(index + 1);
  const hasId = rest[0] !== undefined && isParameter(rest[0]);
  const tail = hasId ? rest.slice(1) : rest;
  return {
    resourceWords,
    resource: segments.slice(0, index + 1).join('/'),
    hasId,
    outer: segments.slice(0, index).filter(isParameter).length,
    tail,
    words: tail.filter((segment) => !isParameter(segment)).flatMap((segment) => wordsOf(segment)),
    inner: tail.filter(isParameter).length,
  };
};

const only = ({ words, resourceWords }: ReturnPath, known: ReadonlySet<string>): boolean =>
  words.length > 0 &&
  words.every((word) => known.has(word) || neutralWords.has(word) || resourceWords.has(word)) &&
  words.some((word) => known.has(word));

const read = (path: ReturnPath): Omit<Proposal, 'route'> | undefined => {
  const { hasId, inner, tail } = path;
  if (hasId && tail.length === 0) return { name: 'getReturn', confidence: 'high' };
  if (hasId && inner === 0 && only(path, detailWords)) return { name: 'getReturn', confidence: 'medium' };
  if (hasId) return undefined;
  if (tail.length === 0) return { name: 'listReturns', confidence: 'high' };
  if (inner === 0 && only(path, listWords)) return { name: 'listReturns', confidence: 'medium' };
  if (only(path, detailWords))
    return { name: 'getReturn', confidence: 'medium', note: 'the id is no parameter after the word for returns' };
  return undefined;
};

/** Returns our command for words of theirs. */
export const commandOf = (words: readonly string[]): OfferableName | undefined => {
  // The first word decides: `/receive/confirm` receives.
  for (const word of words) {
    const found = [...commandWords].find(([, known]) => known.has(word));
    if (found !== undefined) return found[0];
  }
  return undefined;
};

const write = (method: Route['method'], path: ReturnPath): Omit<Proposal, 'route'> | undefined => {
  const { hasId, tail, words, inner } = path;
  if (tail.length === 0 && method === 'DELETE')
    return hasId ? { name: 'cancel', confidence: 'low', note: 'DELETE may remove the return' } : undefined;
  if (method === 'DELETE') return undefined;
  if (tail.length === 0 && !hasId) return { name: 'createReturn', confidence: method === 'POST' ? 'high' : 'low' };
  if (tail.length === 0)
    return { name: 'updateReturn', confidence: 'low', note: 'one request may stand for several commands' };
  if (!hasId && method === 'POST' && inner === 0 && only(path, listWords))
    return { name: 'listReturns', confidence: 'medium', note: 'the filters are in the body of a POST' };
  const command = commandOf(words);
  if (command !== undefined) {
    if (!hasId)
      return { name: command, confidence: 'medium', note: 'the ids are in the body: several returns in one call' };
    if (inner > 0) return { name: command, confidence: 'medium', note: 'the path names a part of the return too' };
    return { name: command, confidence: words.length === 1 ? 'high' : 'medium' };
  }
  return !hasId && inner === 0 && only(path, createWords) ? { name: 'createReturn', confidence: 'medium' } : undefined;
};

/** Whether a route lists the reasons for returns. */
const listsReasons = ({ method, path, resourceWords }: Route): boolean => {
  const segments = segmentsOf(path);
  const words = segments
    .filter((segment) => !isParameter(segment))
    .flatMap((segment) => wordsIn(segment, resourceWords));
  const last = segments.at(-1) ?? '';
  return (
    method === 'GET' &&
    !isParameter(last) &&
    !segments.some(isParameter) &&
    wordsOf(last).some((word) => reasonWords.has(word)) &&
    words.some((word) => resourceWords.has(word))
  );
};

const lower: Readonly<Record<Confidence, Confidence>> = { high: 'medium', medium: 'low', low: 'low' };

/** Proposes our operation for a route; undefined for none. */
export const propose = (route: Route): Proposal | undefined => {
  if (listsReasons(route)) return { name: 'listReasons', route, confidence: 'high' };
  const path = returnPath(route);
  if (path === undefined || wordsOf(route.path).some((word) => otherWords.has(word))) return undefined;
  const proposal = route.method === 'GET' ? read(path) : write(route.method, path);
  if (proposal === undefined) return undefined;
  if (path.outer === 0) return { ...proposal, route };
  const note = 'the path needs another id before the one of the return';
  return { note, ...proposal, route, confidence: lower[proposal.confidence] };
};

/** Whether a route is one call for several commands. */
export const dispatches = (route: Route): boolean => {
  const { method } = route;
  const found = returnPath(route);
  return (
    method !== 'GET' && method !== 'DELETE' && found !== undefined && found.inner === 0 && only(found, dispatchWords)
  );
};
