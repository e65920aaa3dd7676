import { parseSync, Visitor } from 'oxc-parser';
import { expect } from 'vitest';
import { adopt, type NewAdapter } from '../../../lib/tools/adopt/adopt.ts';
import { wordsOfResource } from '../../../lib/tools/adopt/vocabulary.ts';
import type { DescriptionFailure } from '../../../lib/tools/adopt/failure.ts';
import { bytesOf } from './descriptions.ts';

/** Adopts a description that must be readable. */
export const adopted = (description: unknown, resource?: string): NewAdapter => {
  const words = resource === undefined ? undefined : wordsOfResource(resource);
  const result = adopt(bytesOf(description), 'acme', words);
  if (!result.ok) throw new Error(JSON.stringify(result.failure));
  return result.value;
};

/** Returns the failure of a description. */
export const failureOf = (description: unknown): DescriptionFailure => {
  const result = adopt(bytesOf(description), 'acme');
  if (result.ok) throw new Error('the description was adopted');
  return result.failure;
};

/** Returns the name, the method and the path of the proposals. */
export const proposalsOf = ({ proposals }: NewAdapter): readonly string[] =>
  proposals.map(({ name, route, confidence, action }) =>
    [name, route.method, route.path, confidence, action].filter((part) => part !== undefined).join(' '),
  );

/** Returns a generated file. It must be TypeScript. */
export const sourceOf = ({ files }: NewAdapter, name: string): string => {
  const text = files.get(name) ?? '';
  expect(parseSync(name, text).errors).toEqual([]);
  return text;
};

/** A place to fill in: its text, the proposed expression, the whole call, and where its text begins. */
export type Hole = {
  readonly what: string;
  readonly proposed: string | undefined;
  readonly start: number;
  readonly end: number;
  readonly at: number;
};

/** Returns the places of an adapter, in order. */
export const holesOf = (adapter: string): readonly Hole[] => {
  const found: Hole[] = [];
  new Visitor({
    CallExpression: ({ callee, arguments: [what, given], start, end }) => {
      const proposed = given && adapter.slice(given.start, given.end);
      if (callee.type === 'Identifier' && callee.name === 'todo' && what?.type === 'Literal')
        found.push({ what: String(what.value), proposed, start, end, at: what.start });
    },
  }).visit(parseSync('adapter.ts', adapter).program);
  return found;
};
