import { runInNewContext } from 'node:vm';
import { isObject } from '../../runtime/json.ts';
import { fail, ok, type Result } from '../../runtime/result.ts';
import { adapterBody, adapterText } from './adapter-text.ts';
import { openDescription, type Route } from './description.ts';
import { type DescriptionFailure, UnreadableDescription } from './failure.ts';
import { maxListed, maxSeconds, maxTypes } from './limits.ts';
import { literal } from './names.ts';
import { parseDescription } from './parse.ts';
import { readService, type ServiceFacts } from './read-service.ts';
import { readmeText } from './readme-text.ts';
import type { Proposal } from './propose.ts';
import { returnWords } from './vocabulary.ts';

/** The files of a new adapter by name, and what it proposes. */
export type NewAdapter = {
  readonly files: ReadonlyMap<string, string>;
  readonly proposals: readonly Proposal[];
  /** All requests of the description. */
  readonly routes: readonly Route[];
  /** How many places are left. */
  readonly places: number;
};

/** From this number of members on, a file has more lines than lint allows for one that a person writes. */
const manyMembers = 300;

const serviceText = (declarations: readonly string[], words: readonly string[]): string => {
  const members = declarations.join('').split(';').length;
  return [
    ...(members > manyMembers ? ['/* oxlint-disable max-lines */'] : []),
    '/* The types of the service, as its description gives them. Nothing has checked an answer. */',
    ...(words.length === 0 ? [] : [`export type State = ${words.map(literal).join(' | ')};`]),
    ...declarations,
    '',
  ].join('\n\n');
};

const nameOf = (declaration: string): string => /^export type (\w+)/.exec(declaration)?.[1] ?? '';

/**
 * Returns the types of the service, and what they could not say. Without a proposal nothing uses the types, so a
 * description with too many of them has none.
 */
const typesOf = ({ types, offers }: ServiceFacts) => {
  try {
    return { declarations: types.declarations(), gaps: [...types.gaps] };
  } catch (error) {
    const isTooMany = error instanceof UnreadableDescription && error.failure.code === 'too_many_schemas';
    if (!isTooMany || offers.length > 0) throw error;
    const gap = `the first ${maxListed} requests reach more than ${maxTypes} schemas, so they have no types`;
    return { declarations: [], gaps: [gap] };
  }
};

const write = (bytes: Uint8Array, name: string, resourceWords: ReadonlySet<string>): NewAdapter => {
  const facts = readService(openDescription(parseDescription(bytes), resourceWords));
  const body = adapterBody(facts, name);
  const { declarations, gaps } = typesOf(facts);
  const words = facts.state?.words ?? [];
  const declared = new Set([...declarations.map(nameOf), ...(words.length === 0 ? [] : ['State'])]);
  const files = new Map([
    ['adapter.ts', adapterText(body, declared)],
    ['README.md', readmeText(facts, { name, gaps, hasTypes: declared.size > 0 })],
    ...(declared.size === 0 ? [] : [['service.ts', serviceText(declarations, words)] as const]),
  ]);
  return {
    files,
    proposals: facts.choice.chosen,
    routes: facts.choice.routes,
    places: body.split('todo("').length - 1,
  };
};

/** Runs work of this module, and ends it after a time, in whatever loop it is. */
const within = <Value>(seconds: number, work: () => Value): Value =>
  runInNewContext('work()', { work }, { timeout: seconds * 1000 }) as Value;

/**
 * Makes the files of an adapter from a description.
 *
 * @param name the folder of the adapter, which the caller has checked
 * @param resourceWords the words by which its paths name returns
 */
export const adopt = (
  bytes: Uint8Array,
  name: string,
  resourceWords: ReadonlySet<string> = returnWords,
  seconds: number = maxSeconds,
): Result<NewAdapter, DescriptionFailure> => {
  try {
    return ok(within(seconds, () => write(bytes, name, resourceWords)));
  } catch (error) {
    if (error instanceof UnreadableDescription) return fail(error.failure);
    // The error is of the other context, so it is no instance of our Error.
    if (isObject(error) && error['code'] === 'ERR_SCRIPT_EXECUTION_TIMEOUT')
      return fail({ code: 'too_slow', path: '', accepted: `a description that is read within ${seconds} s` });
    throw error;
  }
};
