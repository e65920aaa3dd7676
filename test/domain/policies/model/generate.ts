import fc, { type Arbitrary } from 'fast-check';
import type { Facts } from '../../../../lib/domain/policies/facts.ts';
import type { Policy } from '../../../../lib/domain/policies/policy.ts';
import { factsArbitrary } from './generate-facts.ts';
import { policyArbitrary } from './generate-policy.ts';
import { windowEnd } from './window.ts';

/** A policy and the facts of a request. */
export type Case = { readonly policy: Policy; readonly facts: Facts };

const second = 1_000;
const distances = [-3_600 * second, -second, -1, 0, 1, second, 3_600 * second];

/** Returns the same facts, requested at the end of a window of one line, or at a distance from it. */
const atEnd = ({ policy, facts }: Case, which: number, distance: number): Case => {
  const ends = policy.rules
    .flatMap((rule) => ('window' in rule ? facts.lines.map((line) => windowEnd(rule.window, policy, facts, line)) : []))
    .filter((end) => end !== undefined);
  const end = ends[which % ends.length];
  return end === undefined
    ? { policy, facts }
    : { policy, facts: { ...facts, requestedAt: new Date(end + distance).toISOString() } };
};

/** Cases of which two in three have a request within an hour of the end of a window. */
export const cases: Arbitrary<Case> = fc
  .record({
    policy: policyArbitrary,
    facts: factsArbitrary,
    end: fc.option(fc.record({ which: fc.nat(100), distance: fc.constantFrom(...distances) }), { freq: 3 }),
  })
  .map(({ policy, facts, end }) =>
    end === null ? { policy, facts } : atEnd({ policy, facts }, end.which, end.distance),
  );
