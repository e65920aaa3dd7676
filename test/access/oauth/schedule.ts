import fc from 'fast-check';
import { second } from './harness.ts';

export const scopes = ['returns:read', 'returns:write'] as const;
export type Scope = (typeof scopes)[number];
export type Outage = 'status' | 'reset' | 'down' | 'malformed' | 'retry later' | 'none';

/** The steps of a schedule. */
export type Step =
  /** Both clocks, the wall clock only (a freeze), or the wall clock's correction. */
  | { readonly kind: 'advance' | 'freeze' | 'correct'; readonly ms: number }
  | { readonly kind: 'outage'; readonly how: Outage }
  /** The token endpoint answers after this time. */
  | { readonly kind: 'slow'; readonly ms: number }
  | { readonly kind: 'secrets'; readonly down: boolean }
  /** A new version of the secret. The token endpoint accepts it and the others. */
  | { readonly kind: 'rotate' }
  /** The token endpoint accepts the current secret only, or none. */
  | { readonly kind: 'know'; readonly current: boolean }
  | { readonly kind: 'call'; readonly scope: Scope; readonly count: number }
  /** The API rejects the token that was served last. */
  | { readonly kind: 'revoke'; readonly scope: Scope }
  /** A caller leaves: at once, or when the first request on its behalf starts. */
  | { readonly kind: 'abort'; readonly scope: Scope; readonly when: 'at once' | 'token' | 'secret' }
  | { readonly kind: 'settle' };

/** The third ones reach the ages at which a token of 600 s is renewed, and is too old. */
const ms = fc.oneof(
  fc.nat(60 * second),
  fc.nat(1_000 * second),
  fc.constantFrom(480 * second, 540 * second),
  fc.nat(5_000 * second),
);
const scope = fc.constantFrom(...scopes);
const outages: readonly Outage[] = ['status', 'reset', 'down', 'malformed', 'retry later', 'none', 'none'];

const weighted: readonly (readonly [number, fc.Arbitrary<Step>])[] = [
  [8, fc.record({ kind: fc.constant('call'), scope, count: fc.integer({ min: 1, max: 4 }) })],
  [4, fc.record({ kind: fc.constant('advance'), ms })],
  [2, fc.record({ kind: fc.constant('freeze'), ms })],
  [1, fc.record({ kind: fc.constant('correct'), ms: fc.constantFrom(-7_200 * second, 7_200 * second) })],
  [3, fc.record({ kind: fc.constant('outage'), how: fc.constantFrom(...outages) })],
  [3, fc.record({ kind: fc.constant('slow'), ms: fc.constantFrom(0, 1_200, 2_000, 2_600, 4_000) })],
  [1, fc.record({ kind: fc.constant('secrets'), down: fc.boolean() })],
  [1, fc.record({ kind: fc.constant('rotate') })],
  [2, fc.record({ kind: fc.constant('know'), current: fc.boolean() })],
  [2, fc.record({ kind: fc.constant('revoke'), scope })],
  [2, fc.record({ kind: fc.constant('abort'), scope, when: fc.constantFrom('at once', 'token', 'secret') })],
  [2, fc.record({ kind: fc.constant('settle') })],
];

export const schedules: fc.Arbitrary<readonly Step[]> = fc.array(
  fc.oneof(...weighted.map(([weight, arbitrary]) => ({ weight, arbitrary }))),
  { maxLength: 25 },
);
